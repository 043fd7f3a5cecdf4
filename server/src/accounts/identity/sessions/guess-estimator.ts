import { Worker } from 'node:worker_threads'
import { Problem } from '../../../platform/base/problem.ts'
import type { GuessAnswer, GuessQuestion } from './estimate-guesses.ts'

type Estimate = Omit<GuessAnswer, 'id'>

export interface GuessEstimator {
  readonly estimate: (text: string, known: readonly string[]) => Promise<Estimate>
}

const idleMs = 60_000
/** A longer queue would make a caller wait for seconds. */
const longestQueue = 50

/**
 * Runs zxcvbn in a thread: its dictionaries take 80 MB and a second to load, and an estimate takes up to 0.4 s
 * of a core. Passwords are set rarely, so the thread ends after a minute.
 */
export const createGuessEstimator = (): GuessEstimator => {
  let thread: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let lastId = 0
  const waiting = new Map<number, PromiseWithResolvers<Estimate>>()

  const end = (error: Error): void => {
    thread = null
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const start = (): Worker => {
    const started = new Worker(new URL('./estimate-guesses.ts', import.meta.url))
    started.unref()
    started.on('message', ({ id, ...estimate }: GuessAnswer) => {
      waiting.get(id)?.resolve(estimate)
      waiting.delete(id)
      if (waiting.size === 0)
        idle = setTimeout(() => {
          thread = null
          void started.terminate()
        }, idleMs).unref()
    })
    started.on('error', end)
    return started
  }

  return {
    estimate: async (text, known) => {
      if (waiting.size >= longestQueue)
        throw new Problem('too_many_sign_ins', {}, { headers: { 'Retry-After': '5' } })
      clearTimeout(idle)
      thread ??= start()
      const answer = Promise.withResolvers<Estimate>()
      lastId += 1
      waiting.set(lastId, answer)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage({ id: lastId, text, known } satisfies GuessQuestion)
      return answer.promise
    },
  }
}
