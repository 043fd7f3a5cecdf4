import { outgrows } from '../../../platform/base/outgrows.ts'
import { Problem } from '../../../platform/base/problem.ts'

/**
 * Webhook bodies stay within 64 KiB. The other 16 KiB are for renditions, which no client writes, and the
 * rest of the event.
 */
const maxWrittenBytes = 48 * 1024

/**
 * Checks a record that a client writes. `withoutRenditions` renders the new record without them. A record
 * already over the limit may be written if it does not grow. Throws 'invalid'.
 */
export const checkRecordSize = (before: string, after: string, withoutRenditions: () => string): void => {
  if (!outgrows(before, after, maxWrittenBytes)) return
  if (Buffer.byteLength(withoutRenditions()) > maxWrittenBytes)
    throw new Problem('record_too_large', { maxBytes: maxWrittenBytes })
}
