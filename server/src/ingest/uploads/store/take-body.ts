import { Problem } from '../../../platform/base/problem.ts'
import { isSenderGone, type AppendOptions } from './staging.ts'

/**
 * Passes the new bytes of a body to `push`. Returns false when the sender disconnects before the end. Throws
 * 'too_large'.
 */
export const takeBody = async (
  body: AsyncIterable<Buffer>,
  { offset, skipBytes = 0, maxSizeBytes }: AppendOptions,
  push: (chunk: Buffer) => Promise<void> | void,
): Promise<boolean> => {
  let toSkip = skipBytes
  let position = offset
  try {
    for await (const received of body) {
      const chunk = toSkip > 0 ? received.subarray(toSkip) : received
      toSkip = Math.max(0, toSkip - received.length)
      if (chunk.length === 0) continue
      position += chunk.length
      if (position > maxSizeBytes) throw new Problem('upload_too_large', { maxBytes: maxSizeBytes })
      const waiting = push(chunk)
      if (waiting !== undefined) await waiting
    }
    return true
  } catch (error) {
    if (!isSenderGone(error)) throw error
    return false
  }
}
