import type { Log } from './log.ts'

const repeatMs = 60_000

/**
 * Returns a function that runs `work` and never rejects. It logs a failure when it begins or changes, then once a minute, and
 * logs when `work` succeeds again: a loop that fails several times a second would fill the log.
 */
export const logFailures = (
  log: Pick<Log, 'info' | 'warn'>,
  failure: string,
  work: () => Promise<unknown>,
  now: () => number = () => performance.now(),
): (() => Promise<void>) => {
  let shown: { readonly text: string; readonly atMs: number } | null = null
  return async () => {
    try {
      await work()
      if (shown !== null) log.info(`${failure}: this works again`)
      shown = null
    } catch (error) {
      const text = String(error)
      if (shown !== null && shown.text === text && now() - shown.atMs < repeatMs) return
      shown = { text, atMs: now() }
      log.warn({ err: error }, failure)
    }
  }
}
