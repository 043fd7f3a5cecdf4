import { AuthenticationError, ConnectionError, ServerError, TimeoutError } from '@zoetrope/sdk'
import { zoetrope } from '../shell/api.ts'
import { ownUrl } from '../ui/embed/own-url.ts'
import type { Upload } from './upload-list.ts'

const retryMs = 5_000

const mebibyte = 1_048_576

/** A hundred parts keep the progress bar moving. Larger parts save round trips for large files. */
export const partBytesOf = (sizeBytes: number): number =>
  Math.min(16 * mebibyte, Math.max(mebibyte, Math.ceil(sizeBytes / 100)))

/**
 * Whether the error is temporary, such as an unreachable server or a full disk. The SDK has retried already,
 * but unattended uploads may wait for hours.
 */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      },
      { once: true },
    )
  })

interface SendOptions {
  readonly signal: AbortSignal
  readonly onRecord: (record: { fileId: number; uploadUri: string }) => Promise<void>
  readonly onProgress: (sentBytes: number, bytesPerSecond: number | null) => void
  /** Called when the upload is interrupted and will be retried. */
  readonly onTrouble: (error: unknown) => void
}

const makeRecord = async (
  { id, projectId, name, sizeBytes, fileId, uploadUri }: Upload,
  { signal, onRecord }: SendOptions,
): Promise<{ fileId: number; uploadUri: string }> => {
  if (fileId !== null && uploadUri !== null) return { fileId, uploadUri }
  // The idempotency key makes a reload before the response return the same record.
  const made = await zoetrope.files.create(
    projectId,
    { FileName: name, FileSize: sizeBytes },
    { signal, idempotencyKey: `upload-${id}` },
  )
  if (!made.Upload) throw new TypeError('the server did not say where the bytes go')
  const record = { fileId: made.Id, uploadUri: ownUrl(made.Upload.URI) }
  await onRecord(record)
  return record
}

/**
 * Creates the record if needed and sends the missing bytes. Continues until it is done, refused or aborted.
 */
export const sendUpload = async (upload: Upload & { file: File }, options: SendOptions): Promise<void> => {
  const { projectId, file, sizeBytes } = upload
  const { signal, onProgress, onTrouble } = options
  let resume: { fileId: number; uploadUri: string } | null = null
  let sent: { bytes: number; atMs: number } | null = null
  for (;;) {
    try {
      resume ??= await makeRecord(upload, options)
      await zoetrope.files.upload(projectId, file, {
        resume,
        signal,
        partBytes: partBytesOf(sizeBytes),
        onRetry: onTrouble,
        onProgress: ({ sentBytes }) => {
          const atMs = performance.now()
          sent ??= { bytes: sentBytes, atMs }
          const seconds = (atMs - sent.atMs) / 1_000
          onProgress(sentBytes, seconds < 1 ? null : (sentBytes - sent.bytes) / seconds)
        },
      })
      return
    } catch (error) {
      signal.throwIfAborted()
      // The session ended after the last byte: only the record could not be read.
      if (error instanceof AuthenticationError && resume !== null) return
      if (!isPassing(error)) throw error
      onTrouble(error)
      await pause(retryMs, signal)
    }
  }
}
