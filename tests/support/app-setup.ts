import { useDisk } from './indexed-db.ts'
import { useNetwork } from './network.ts'
import { useApp } from './render-app.tsx'
import { useUploads } from './uploads.ts'

// Register the hooks here. The test files of a worker share their modules, so a hook that is registered when a module
// loads would run for the first file only.
useNetwork()
useDisk()
useUploads()
useApp()
