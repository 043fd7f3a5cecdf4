import { open } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { InFlightUploads } from '../../library/files/media/in-flight-uploads.ts'

const pollMs = 200
const readBytes = 1024 * 1024
/** A client that pauses longer does not block a worker; its upload plays once complete. */
const silenceMs = 120_000

/**
 * Yields the bytes of an upload in order as they arrive. Throws when the upload is aborted or restarted, or
 * when no data arrives for two minutes. The open file stays valid when it is moved to the blob store.
 */
export async function* tailUpload(
  inFlightUploads: Pick<InFlightUploads, 'follow'>,
  { stagingName, path }: { readonly stagingName: string; readonly path: string },
  signal: AbortSignal,
  patienceMs = silenceMs,
): AsyncGenerator<Buffer> {
  await using handle = await open(path)
  let position = 0
  let receivedAtMs = performance.now()
  for (;;) {
    const upload = await inFlightUploads.follow(stagingName)
    if (upload === null) throw new Error('the upload has stopped')
    const { size } = await handle.stat()
    const end = upload.isWhole ? size : Math.min(size, upload.uncheckedAfter ?? size)
    while (position < end) {
      const length = Math.min(readBytes, end - position)
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, position)
      // The file was truncated meanwhile.
      if (bytesRead === 0) break
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
      receivedAtMs = performance.now()
    }
    if (upload.isWhole) return
    if (performance.now() - receivedAtMs > patienceMs) throw new Error('the client sends no bytes')
    await delay(pollMs, undefined, { signal })
  }
}
