import { useDisk } from './indexed-db.ts'
import { useNetwork } from './network.ts'
import { useApp } from './render-app.tsx'
import { useUploads } from './uploads.ts'

// Files share their modules: a hook that a module registers as it loads would serve the first of them alone.
useNetwork()
useDisk()
useUploads()
useApp()
