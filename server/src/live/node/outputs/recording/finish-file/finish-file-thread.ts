import { parentPort } from 'node:worker_threads'
import { IsobmffError } from '@zoetrope/isobmff'
import { finishFile } from './finish-file.ts'

// A worker thread has no origins, unlike a window.
/* oxlint-disable unicorn/require-post-message-target-origin */
parentPort?.on('message', (path: string) => {
  finishFile(path).then(
    (hasMedia) => parentPort?.postMessage({ hasMedia }),
    // Only the message of an error survives the transfer.
    (error: unknown) =>
      parentPort?.postMessage(error instanceof IsobmffError ? { broken: error.message } : { error }),
  )
})
