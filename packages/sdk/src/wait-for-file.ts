import { pause } from './backoff.ts'
import { FileFailedError, TimeoutError } from './errors.ts'
import type { HttpClient } from './http-client.ts'
import type { MediaFile } from './operation-types.ts'

export type WaitGoal = 'playable' | 'finished'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Default: only the signal ends the wait. */
  readonly timeoutMs?: number
}

const firstPollMs = 250
const longestPollMs = 5_000

/**
 * Polls the file until it is playable, or until all its renditions are finished. Throws FileFailedError when
 * the file ends with nothing to play, and TimeoutError after `timeoutMs`.
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
    const leftMs = endsAtMs - Date.now()
    if (leftMs <= 0)
      throw new TimeoutError(`file ${fileId} is ${file.Status}, not yet ${goal}, after ${timeoutMs} ms`)
    await pause(Math.min(pollMs, leftMs), signal)
  }
}
