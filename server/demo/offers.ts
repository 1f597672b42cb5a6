import { dateInNairobi, day, timeline } from './clock.ts'
import { written } from './content.ts'
import { customerJoins } from './customers.ts'
import offers from './data/promo.json' with { type: 'json' }
import { joinedSoFar } from './dispatch.ts'
import { seeded } from './random.ts'
import type { World, Write } from './world.ts'
import { seeds } from './world.ts'

/** Writes coupons with their users, and promo codes, each for one customer. Some have expired. */
export function writeOffers(world: World, write: Write): void {
  writeCoupons(world, write)
  writePromoCodes(world, write)
}

function writeCoupons(world: World, write: Write): void {
  const random = seeded(seeds.sundries, 1)
  const customersAt = joinedSoFar(customerJoins(world), world.size.customers)
  const createdAt = timeline({
    count: offers.coupons.length,
    span: 300 * day,
    growth: 1,
    rhythm: 'office',
    now: world.now,
  })
  for (const [index, { code, amount }] of offers.coupons.entries()) {
    const created = createdAt(index)
    const valid_till = random.chance(0.05) ? null : dateInNairobi(created + random.between(30, 400) * day)
    const coupon = written(index, created, code)
    write('coupons', { ...coupon, code, amount: amount * 100, valid_till })
    const users = new Set(Array.from({ length: random.int(9) }, () => 1 + random.int(customersAt(created))))
    for (const customer_id of users) write('coupon_users', { coupon_id: coupon.id, customer_id })
  }
}

/** How many times each promo code is written, each time for another customer. */
const rounds = 3

function writePromoCodes(world: World, write: Write): void {
  const random = seeded(seeds.sundries, 2)
  const customersAt = joinedSoFar(customerJoins(world), world.size.customers)
  const count = offers.promos.length * rounds
  const createdAt = timeline({ count, span: 240 * day, growth: 1.3, rhythm: 'office', now: world.now })
  for (let index = 0; index < count; index++) {
    const promo = offers.promos[index % offers.promos.length]
    if (!promo) continue
    const { code, title, description, amount } = promo
    const created = createdAt(index)
    write('promo_codes', {
      ...written(index, created, `${code} ${title}`),
      code,
      title,
      description,
      amount: amount * 100,
      valid_till: dateInNairobi(created + random.between(14, 180) * day),
      promo_type: promo.promo_type === 'External' ? 'External' : 'Internal',
      customer_id: 1 + random.int(customersAt(created)),
      redemeed: random.chance(0.35) ? 1 : 0,
    })
  }
}
