import { useDisk } from './indexed-db.ts'
import { useNetwork } from './network.ts'
import { useApp } from './render-app.tsx'
import { useUploads } from './uploads.ts'

// Test files of a worker share their modules: a hook that a module registered while it loads would run for the first
// file only.
useNetwork()
useDisk()
useUploads()
useApp()
