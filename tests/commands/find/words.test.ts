import { describe, expect, it } from 'vitest'
import { allFit, fitOf, fold, wordsOf } from '../../../src/commands/find/words.ts'

describe('the form in which typed text is compared', () => {
  it.each([
    ['  Ian   TUMANKA ', 'ian tumanka'],
    ['Ng’ang’a', 'nganga'],
    ["K'Ogalo", 'kogalo'],
    ['Al-Busaidy', 'al busaidy'],
    ['Café Müller', 'cafe muller'],
    ['KDA-123A', 'kda 123a'],
    ['#1042', '#1042'],
    ['+254 (712) 345-678', '+254 712 345 678'],
    ['Wallet(Ksh)', 'wallet ksh'],
  ])('of %j is %j', (typed, folded) => {
    expect(fold(typed)).toBe(folded)
  })

  it('has no words if only punctuation was typed', () => {
    expect(wordsOf(' … !? ')).toEqual([])
  })
})

describe('the fit of a typed word', () => {
  it.each([
    ['suspend', 'suspend', 'equal'],
    ['susp', 'suspend', 'start'],
    ['suspned', 'suspend', 'typo'],
    ['supend', 'suspend', 'typo'],
    ['suspeend', 'suspend', 'typo'],
    ['suspemd', 'suspend', 'typo'],
    ['pend', 'suspend', 'middle'],
    ['lete', 'delete', 'middle'],
    ['gout', 'logout', 'middle'],
    ['dashbord', 'dashboard', 'typo'],
    ['suspned', 'suspended', 'typo'],
    ['sus', 'logout', null],
    // Three letters are too few for a typing error, and digits are never guessed.
    ['ein', 'ian', null],
    ['1234', '1235', null],
    ['susdpned', 'suspend', null],
  ])('%j for %j is %j', (typed, word, fit) => {
    expect(fitOf(typed, word)).toBe(fit)
  })

  it('of several words is that of the worst, each in its best place', () => {
    expect(allFit(['tum', 'ian'], ['ian', 'tajeu', 'tumanka'])).toBe('start')
    expect(allFit(['ian', 'kamau'], ['ian', 'tajeu', 'tumanka'])).toBeNull()
  })
})
