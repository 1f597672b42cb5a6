import { deferred } from './ui/deferred.tsx'

/** Everything that opens over a screen. */
export const dialogs = deferred(() => import('./dialogs.tsx'), {
  atIdle: true,
})

/** The toasts. Those that are asked for earlier wait for it. */
export const toasts = deferred(() => import('./shell/toast.tsx'), {
  atIdle: true,
})

/** The trends below the figures of the dashboard. */
export const trends = deferred(() => import('./trends.tsx'))
