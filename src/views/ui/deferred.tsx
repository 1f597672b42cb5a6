import type { ComponentType, ReactNode } from 'react'
import { useEffect, useSyncExternalStore } from 'react'
import { say } from '../../commands/status.ts'
import { whenIdle } from '../../idle.ts'

interface Options<P> {
  /** Load it when the browser has nothing else to do, not as soon as it is mounted. */
  atIdle?: true
  /** What is shown until the code is there. */
  fallback?: (props: P) => ReactNode
}

interface Deferred<P> {
  Component: (props: P) => ReactNode
  /** Loads the code now. Resolves when it is there, or when it could not be loaded. */
  load: () => Promise<void>
  /** Loads the code now for somebody who waits for it, and says so if it could not be loaded. */
  need: () => void
}

/** Delays in milliseconds before code that could not be loaded is asked for again: the first one and the longest one. */
const firstDelay = 1_500
const longestDelay = 60_000

/** A component whose code, the default export of a module, comes in a file of its own. */
export function deferred<P extends object>(
  importCode: () => Promise<{ default: ComponentType<P> }>,
  { atIdle, fallback = () => null }: Options<P> = {},
): Deferred<P> {
  let code: ComponentType<P> | null = null
  let loading: Promise<void> | null = null
  const waiting = new Set<() => void>()
  const isCode = (module: unknown): module is { default: ComponentType<P> } =>
    typeof module === 'object' && module !== null && 'default' in module

  // Browsers remember that the import of an address has failed as long as the page lives (whatwg/html#6768).
  let address: string | undefined
  let attempts = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const ask = (): Promise<unknown> =>
    address === undefined ? importCode() : import(/* @vite-ignore */ `${address}?${String(++attempts)}`)

  const load = () =>
    (loading ??= ask()
      .then((module) => {
        if (isCode(module)) code = module.default
        for (const render of waiting) render()
      })
      .catch((error: unknown) => {
        // Chromium and Firefox name the address. In other browsers the person has to reload the page.
        address ??= /https?:\/\/[^\s?]+\.js/.exec(String(error))?.[0]
        loading = null
        clearTimeout(timer)
        timer = setTimeout(
          () => waiting.size > 0 && void load(),
          Math.min(firstDelay * 2 ** attempts, longestDelay),
        )
      }))
  const subscribe = (render: () => void) => {
    waiting.add(render)
    return () => waiting.delete(render)
  }
  function Component(props: P) {
    const Code = useSyncExternalStore(subscribe, () => code)
    useEffect(() => {
      if (atIdle) whenIdle(() => void load())
      else void load()
    }, [])
    return Code ? <Code {...props} /> : fallback(props)
  }
  const need = () =>
    void load().then(() => {
      if (!code) say('This could not be loaded. It is tried again; if nothing comes, reload the page.')
    })
  return { Component, load, need }
}
