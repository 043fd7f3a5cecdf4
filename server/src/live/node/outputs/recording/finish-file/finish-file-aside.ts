import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { IsobmffError } from '@zoetrope/isobmff'

/**
 * Runs `finishFile` in a separate thread. The index of twelve hours takes seconds, which would delay frames
 * of other streams.
 */
export interface FinishAside {
  /** Starts the thread ahead of time, so that the end of a recording does not wait for it. */
  readonly prepare: () => void
  /** Runs one call at a time. */
  readonly finish: (path: string) => Promise<boolean>
  readonly stop: () => Promise<void>
}

type FinishAnswer = { readonly hasMedia: boolean } | { readonly broken: string } | { readonly error: Error }

export const createFinishAside = (): FinishAside => {
  let thread: Worker | null = null
  let last: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    if (thread !== null) return thread
    const started = new Worker(new URL('finish-file-thread.ts', import.meta.url))
    started.unref()
    // `once` reports the error to the waiting caller; the next call starts another thread.
    started.on('error', () => {})
    started.on('exit', () => {
      if (thread === started) thread = null
    })
    thread = started
    return started
  }

  const finish = async (path: string): Promise<boolean> => {
    const asked = start()
    const answered = once(asked, 'message')
    // A thread, not a window: there are no origins.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    asked.postMessage(path)
    const [answer] = (await answered) as [FinishAnswer]
    if ('broken' in answer) throw new IsobmffError('malformed', answer.broken)
    if ('error' in answer) throw answer.error
    return answer.hasMedia
  }

  return {
    prepare: () => void start(),
    finish: (path) => {
      const finished = last.then(() => finish(path))
      last = finished.catch(() => {})
      return finished
    },
    stop: async () => {
      await last
      await thread?.terminate()
    },
  }
}
