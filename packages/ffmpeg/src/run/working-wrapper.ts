import { spawnSync, type SpawnSyncReturns } from 'node:child_process'

type RunTrue = (
  command: string,
  words: readonly string[],
) => Pick<SpawnSyncReturns<Buffer>, 'status' | 'error'>

/** A full machine may be unable to start a program that exists. */
const isMissing = (error: Error | undefined): boolean =>
  error !== undefined && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')

/**
 * Returns a function that returns a wrapper when it can run `true`, and otherwise nothing: busybox has a `setpriv` without
 * `--pdeathsig`, and macOS has none. Only a certain result is remembered. Without one, the wrapper counts as working: ffmpeg
 * never starts without limits because the machine was busy.
 */
export const createWrapper = (runTrue: RunTrue): ((...words: string[]) => string[]) => {
  const known = new Map<string, boolean>()
  return (...words) => {
    const key = words.join(' ')
    let works = known.get(key)
    if (works === undefined) {
      const [command = '', ...rest] = words
      const { status, error } = runTrue(command, [...rest, 'true'])
      const isCertain = status !== null || isMissing(error)
      works = !isCertain || status === 0
      if (isCertain) known.set(key, works)
    }
    return works ? words : []
  }
}

export const runWithoutOutput =
  (environment: () => NodeJS.ProcessEnv): RunTrue =>
  (command, words) =>
    spawnSync(command, words, { env: environment(), stdio: 'ignore' })
