import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { ResumableUpload, UploadExtension } from '../store/resumable-upload.ts'
import type { Staging } from '../store/staging.ts'
import { appendBody } from './append-body.ts'

test.each([
  [true, [0]],
  // A crash after the bytes are durable would leave the mark, which would hide them from the offset.
  [false, []],
])(
  'marks the bytes of a body with a checksum only if a crash may keep them: %s',
  async (mayKeepUnverified, marks) => {
    const changes: UploadExtension[] = []
    const data = Buffer.from('data')
    const append: Staging['append'] = async (_name, body, { isAccepted }) => {
      await Array.fromAsync(body)
      return { sizeBytes: data.length, isWhole: true, isAccepted: isAccepted?.() ?? true }
    }
    const bytes = {
      stagingName: 'name',
      staging: () => ({ mayKeepUnverified, append }),
      extend: async (change: UploadExtension) => void changes.push(change),
    } as unknown as ResumableUpload
    const body = {
      stream: (async function* () {
        yield data
      })(),
      checksum: { algorithm: 'sha256', digest: createHash('sha256').update(data).digest() },
      cancel: () => {},
      isOver: () => true,
    } as const
    const planned = { offset: 0, skipBytes: 0, end: 4, sizeBytes: 4, isLast: true }
    const result = await appendBody({ maxSizeBytes: 4, expiryMs: 60_000 }, bytes, body, planned)
    expect(result.isAccepted).toBe(true)
    expect(changes.map(({ uncheckedAfter }) => uncheckedAfter)).toEqual(marks)
  },
)
