import { Problem } from '../kernel/problem.ts'

/** The body of a webhook stays within 64 KiB: the renditions, which nobody writes by hand, and the rest of the event get the other quarter. */
const maxWrittenBytes = 48 * 1024

/**
 * For what a caller writes. `withoutRenditions` renders the record that is to come. One that was larger already, from before there was a bound,
 * may be written as long as it does not grow. Throws 'invalid'.
 */
export const checkRecordSize = (before: string, after: string, withoutRenditions: () => string): void => {
  const bytes = Buffer.byteLength(after)
  if (bytes <= maxWrittenBytes || bytes <= Buffer.byteLength(before)) return
  if (Buffer.byteLength(withoutRenditions()) > maxWrittenBytes)
    throw new Problem(
      'invalid',
      `The record of the file would have more than ${maxWrittenBytes} bytes of JSON, too many for a webhook; shorten its Metadata, name or Captions.`,
    )
}
