import { parentPort } from 'node:worker_threads'
import { finishFile } from './finish-file.ts'

// A thread, not a window: there are no origins.
/* oxlint-disable unicorn/require-post-message-target-origin */
parentPort?.on('message', (path: string) => {
  finishFile(path).then(
    (hasMedia) => parentPort?.postMessage({ hasMedia }),
    (error: unknown) => parentPort?.postMessage({ error }),
  )
})
