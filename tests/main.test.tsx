import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useDisk } from './support/indexed-db.ts'
import { callsTo, hold, lose, refuse, serve, useNetwork } from './support/network.ts'
import { wireAnalytics, wireDriver, wirePage } from './support/wire.ts'

const { roots, beforeRendering } = vi.hoisted(() => ({ roots: new Set<Root>(), beforeRendering: vi.fn() }))

// Collects the React roots that main.tsx creates, so that each test can unmount its own.
vi.mock('react-dom/client', async (original) => {
  const client = await original<typeof import('react-dom/client')>()
  const createRoot: typeof client.createRoot = (...given) => {
    const root = client.createRoot(...given)
    const render = root.render.bind(root)
    root.render = (page) => {
      beforeRendering()
      // The page of an earlier test can get a session of this one.
      if (roots.has(root)) render(page)
    }
    roots.add(root)
    return root
  }
  return { ...client, createRoot }
})

useNetwork()
useDisk()

/** Opens the console at an address as a browser does: the page first, then its script. */
async function open(path: string): Promise<void> {
  window.history.pushState(null, '', path)
  document.body.innerHTML = '<div id="root"></div>'
  vi.resetModules()
  await import('../src/main.tsx')
  // For the first test, all code of the console is compiled meanwhile.
  await waitFor(() => expect(document.getElementById('root')?.childElementCount).toBeGreaterThan(0), {
    timeout: 60_000,
  })
}

const signIn = () => {
  sessionStorage.setItem('oms.session', '{"token":"abc"}')
  sessionStorage.setItem('oms.staff', '{"email":"asha@twende.test"}')
}

beforeEach(() => {
  serve({ 'GET /config.json': {}, 'GET analytics/': wireAnalytics() })
})
afterEach(async () => {
  // The login page loads it at some time. It must not come in a later test.
  await import('../src/views/console.tsx')
  for (const root of roots) root.unmount()
  roots.clear()
  // Otherwise the pages of earlier tests would act as other tabs do: give their session to the next one, or change the address.
  const { getDefaultStore } = await import('jotai')
  const { askedForAtom, endSessionEverywhere } = await import('../src/state/session.ts')
  getDefaultStore().set(askedForAtom, null)
  endSessionEverywhere()
  sessionStorage.clear()
  localStorage.clear()
  delete window.firstCall
})

describe('opening the console', () => {
  it('shows the requested address when somebody is signed in (S4.1)', async () => {
    signIn()
    serve({ 'GET drivers/': wirePage([wireDriver({ name: 'Jo Kamau' })]) })
    await open('/riders?s=jo')
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(callsTo('GET drivers/')[0]?.query['s']).toBe('jo')
    expect(callsTo('GET drivers/')[0]?.headers.get('authorization')).toBe('Bearer abc')
  })

  it('asks for the rows before it renders anything', async () => {
    signIn()
    serve({ 'GET drivers/': wirePage([wireDriver({ name: 'Jo Kamau' })]) })
    let calls = 0
    beforeRendering.mockImplementationOnce(() => {
      calls = callsTo('GET drivers/').length
    })
    await open('/riders')
    expect(calls).toBe(1)
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(callsTo('GET drivers/')).toHaveLength(1)
  })

  describe('when the call for the drivers was sent before its code had come', () => {
    const drivers = (name: string) => wirePage([wireDriver({ name })])

    const send = async (answer: Parameters<typeof serve>[0][string]) => {
      signIn()
      serve({ 'GET drivers/': answer })
      const { sendFirstCall } = await import('../src/api/first-call.ts')
      window.history.pushState(null, '', '/riders')
      sendFirstCall()
      await window.firstCall?.config.then(() => Promise.resolve())
    }

    it('takes the answer once, and reads the settings once', async () => {
      await send(drivers('Jo Kamau'))
      await open('/riders')
      expect(await screen.findByText('Jo Kamau')).toBeTruthy()
      expect(callsTo('GET drivers/')).toHaveLength(1)
      expect(callsTo('GET /config.json')).toHaveLength(1)
      serve({ 'GET drivers/': drivers('Jo Njeri') })
      const { queryClient } = await import('../src/api/query-client.ts')
      await queryClient.refetchQueries()
      expect(await screen.findByText('Jo Njeri')).toBeTruthy()
    })

    it('does not take an answer for another session', async () => {
      await send(drivers('Jo Kamau'))
      sessionStorage.setItem('oms.session', '{"token":"def"}')
      await open('/riders')
      expect(await screen.findByText('Jo Kamau')).toBeTruthy()
      const tokens = callsTo('GET drivers/').map(({ headers }) => headers.get('authorization'))
      expect(tokens).toEqual(['Bearer abc', 'Bearer def'])
    })

    it('asks again if the call was lost', async () => {
      await send(lose)
      serve({ 'GET drivers/': drivers('Jo Kamau') })
      await open('/riders')
      expect(await screen.findByText('Jo Kamau', {}, { timeout: 10_000 })).toBeTruthy()
      expect(callsTo('GET drivers/')).toHaveLength(2)
    })

    it('ends the session if the answer is 401 (S4.1)', async () => {
      await send(refuse(401))
      await open('/riders')
      expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
      expect(sessionStorage).toHaveLength(0)
    })
  })

  it('asks for the rows of a page of another size before it renders anything, once it knows that the server has such', async () => {
    signIn()
    serve({
      'GET capabilities/': { page_size: true },
      'GET drivers/': wirePage([wireDriver({ name: 'Jo Kamau' })]),
    })
    let sizes: (string | undefined)[] = []
    beforeRendering.mockImplementationOnce(() => {
      sizes = callsTo('GET drivers/').map(({ query }) => query['page_size'])
    })
    await open('/riders?size=250')
    expect(sizes).toEqual(['250'])
    expect(await screen.findByText('Jo Kamau')).toBeTruthy()
    expect(callsTo('GET drivers/')).toHaveLength(1)
    expect(callsTo('GET capabilities/')).toHaveLength(1)
  })

  it('waits a quarter of a second for the rows of a list whose address has a query, and then renders without them', async () => {
    signIn()
    let [asked, rendered] = [0, 0]
    serve({
      'GET capabilities/': () => {
        // The page of an earlier test may ask too, before this one does.
        if (rendered === 0) asked = performance.now()
        return { page_size: true }
      },
      'GET drivers/': hold().answer,
    })
    beforeRendering.mockImplementationOnce(() => {
      rendered = performance.now()
    })
    await open('/riders?size=100')
    expect(rendered - asked).toBeGreaterThan(245)
  })

  it('shows the login when a stored session value is malformed, and removes both values (S4.1)', async () => {
    sessionStorage.setItem('oms.session', '{"token":')
    sessionStorage.setItem('oms.staff', '{"email":"asha@twende.test"}')
    await open('/riders')
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
    expect(window.location.pathname).toBe('/login')
    expect(sessionStorage).toHaveLength(0)
  })

  it('takes the session of another tab before the guard decides (S2.b.5)', async () => {
    const sibling = new BroadcastChannel('oms.session')
    sibling.onmessage = () => {
      sibling.postMessage({ type: 'told', session: { token: 'shared', email: 'asha@twende.test' } })
    }
    serve({ 'GET trips/': wirePage([]) })
    await open('/trips')
    expect(await screen.findByRole('heading', { name: 'Trips' })).toBeTruthy()
    expect(window.location.pathname).toBe('/trips')
    sibling.close()
  })

  it('opens the address that was asked for when another tab sends its session after the login page was shown (S2.b.5)', async () => {
    serve({ 'GET trips/': wirePage([]) })
    await open('/trips?page=1')
    expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeTruthy()
    const sibling = new BroadcastChannel('oms.session')
    sibling.postMessage({ type: 'told', session: { token: 'shared', email: 'asha@twende.test' } })
    expect(await screen.findByRole('heading', { name: 'Trips' })).toBeTruthy()
    expect(window.location.pathname).toBe('/trips')
    sibling.close()
  })

  it('stays at that address when the login that was under way is answered (S4.2)', async () => {
    const login = hold()
    serve({ 'GET trips/': wirePage([]), 'POST login/': login.answer })
    await open('/trips')
    fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'asha@twende.test' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret' } })
    fireEvent.click(screen.getByRole('button', { name: 'Submit' }))
    await waitFor(() => expect(callsTo('POST login/')).toHaveLength(1))
    const sibling = new BroadcastChannel('oms.session')
    sibling.postMessage({ type: 'told', session: { token: 'shared', email: 'asha@twende.test' } })
    expect(await screen.findByRole('heading', { name: 'Trips' })).toBeTruthy()
    login.give({ token: 'own' })
    await waitFor(() =>
      expect(JSON.parse(sessionStorage.getItem('oms.session') ?? '')).toEqual({ token: 'own' }),
    )
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(window.location.pathname).toBe('/trips')
    sibling.close()
  })

  it('waits for config.json before the first call, and uses its host and authentication scheme', async () => {
    signIn()
    const config = hold()
    serve({ 'GET /config.json': config.answer })
    const opened = open('/')
    await waitFor(() => expect(callsTo('GET /config.json')).toHaveLength(1))
    expect(callsTo('GET analytics/')).toHaveLength(0)
    config.give({ apiHost: 'https://api.safiri.test', authScheme: 'Token', product: 'safiri' })
    await opened
    await waitFor(() => expect(callsTo('GET analytics/').length).toBeGreaterThan(0))
    const [call] = callsTo('GET analytics/')
    expect(call?.origin).toBe('https://api.safiri.test')
    expect(call?.headers.get('authorization')).toBe('Token abc')
  })

  it('applies the theme and density stored in this browser', async () => {
    localStorage.setItem('oms.settings', '{"theme":"dark","density":"compact"}')
    await open('/login')
    expect(document.documentElement.dataset).toMatchObject({ theme: 'dark', density: 'compact' })
  })
})
