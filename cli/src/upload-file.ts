import { openAsBlob } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { ApiError, errorOf, unreachable } from './api-client.ts'

/** Small enough to lose little when a connection breaks, large enough that a request more doesn't show. */
const partBytes = 16 * 1024 * 1024
const maxAttempts = 5
const retryPauseMs = 1_000

/**
 * Sends the file to its upload URL in parts, and goes on where the server is after a broken connection. `onProgress` gets the bytes that are
 * safe on the server.
 */
export const uploadFile = async (
  path: string,
  uploadUrl: string,
  onProgress: (sentBytes: number, totalBytes: number) => void,
): Promise<void> => {
  const file = await openAsBlob(path)
  let offset = 0
  let failures = 0
  do {
    const end = Math.min(offset + partBytes, file.size)
    try {
      await putPart(uploadUrl, file, offset, end)
      offset = end
      failures = 0
      onProgress(offset, file.size)
    } catch (error) {
      failures += 1
      if (
        failures === maxAttempts ||
        (error instanceof ApiError && error.status < 500 && error.status !== 409)
      )
        throw error
      await delay(retryPauseMs)
      offset = await offsetOnServer(uploadUrl).catch(() => offset)
    }
  } while (offset < file.size)
}

const putPart = async (url: string, file: Blob, start: number, end: number): Promise<void> => {
  const isWhole = start === 0 && end === file.size
  let response: Response
  try {
    response = await fetch(url, {
      method: 'PUT',
      headers: {
        'content-type': 'application/octet-stream',
        ...(isWhole ? {} : { 'content-range': `bytes ${start}-${end - 1}/${file.size}` }),
      },
      body: file.slice(start, end),
    })
  } catch (error) {
    throw unreachable(url, error)
  }
  if (!response.ok) throw await errorOf(response)
  await response.arrayBuffer()
}

const offsetOnServer = async (url: string): Promise<number> => {
  const response = await fetch(url, { method: 'HEAD' })
  const offset = Number(response.headers.get('upload-offset') ?? Number.NaN)
  if (!response.ok || !Number.isSafeInteger(offset))
    throw new Error('the server does not say how far the upload is')
  return offset
}
