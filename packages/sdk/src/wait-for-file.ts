import { pause } from './backoff.ts'
import { FileFailedError, TimeoutError } from './errors.ts'
import type { HttpClient } from './http-client.ts'
import type { MediaFile } from './operation-types.ts'

export type WaitGoal = 'playable' | 'finished'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Default: no limit but the signal. */
  readonly timeoutMs?: number
}

const firstPollMs = 250
const longestPollMs = 5_000

/**
 * Asks for the file until it can be played, or until all its renditions are there. Throws FileFailedError when it ends with nothing to
 * play, TimeoutError when it takes longer than `timeoutMs`.
 */
export const waitForFile = async (
  http: HttpClient,
  projectId: number,
  fileId: number,
  goal: WaitGoal,
  { signal, timeoutMs }: WaitOptions = {},
): Promise<MediaFile> => {
  const endsAtMs = timeoutMs === undefined ? Infinity : Date.now() + timeoutMs
  for (let pollMs = firstPollMs; ; pollMs = Math.min(pollMs * 1.5, longestPollMs)) {
    const file = await http.call('getFile', {
      path: { projectId, fileId },
      options: { ...(signal && { signal }) },
    })
    if (file.Status === 'failed')
      throw new FileFailedError(fileId, file.ErrorMessage ?? 'The file could not be processed.')
    if (goal === 'playable' ? file.IsPlayable : file.IsFinished) return file
    if (Date.now() + pollMs > endsAtMs)
      throw new TimeoutError(`file ${fileId} is ${file.Status}, not yet ${goal}, after ${timeoutMs} ms`)
    await pause(pollMs, signal)
  }
}
