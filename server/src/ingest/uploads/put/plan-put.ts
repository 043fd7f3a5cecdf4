import { Problem } from '../../../platform/base/problem.ts'
import { parseContentRange } from './content-range.ts'
import type { ResumableUpload } from '../store/resumable-upload.ts'
import { offsetConflict, type BodyPlan } from '../receive/receive-bytes.ts'

export interface PutHeaders {
  readonly contentLength: number | null
  readonly contentRange: string | null
}

/** Determines from the headers alone where the body of a PUT belongs. Pure. */
export const planPut = (
  { sizeBytes: knownBytes, isComplete }: Pick<ResumableUpload, 'sizeBytes' | 'isComplete'>,
  received: number,
  { contentLength, contentRange }: PutHeaders,
): BodyPlan => {
  // Sending a completed upload again changes nothing.
  if (isComplete) return { isNothingNew: true, sizeBytes: knownBytes }
  if (contentRange === null) {
    if (knownBytes !== null && contentLength !== null && contentLength !== knownBytes)
      throw new Problem('body_size_differs', { bodyBytes: contentLength, fileSize: knownBytes })
    const sizeBytes = knownBytes ?? contentLength
    return { offset: 0, skipBytes: 0, end: sizeBytes, sizeBytes, isLast: true }
  }
  const { first, last, total } = parseContentRange(contentRange)
  if (knownBytes !== null && total !== null && total !== knownBytes)
    throw new Problem('content_range_total_differs', { rangeBytes: total, uploadBytes: knownBytes })
  const sizeBytes = knownBytes ?? total
  if (sizeBytes !== null && sizeBytes < received)
    throw new Problem('content_range_total_differs', { rangeBytes: sizeBytes, uploadBytes: received })
  if (first === null || last === null) return { isNothingNew: true, sizeBytes }
  if (sizeBytes !== null && last >= sizeBytes)
    throw new Problem('content_range_beyond_end', { uploadBytes: sizeBytes })
  if (contentLength !== null && contentLength !== last - first + 1)
    throw new Problem('content_range_length_differs', {
      rangeBytes: last - first + 1,
      bodyBytes: contentLength,
    })
  if (first > received) throw offsetConflict(received)
  // A repeated chunk is harmless: its known bytes are skipped.
  if (last < received) return { isNothingNew: true, sizeBytes }
  return { offset: received, skipBytes: received - first, end: last + 1, sizeBytes, isLast: false }
}
