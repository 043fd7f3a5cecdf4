import { request as httpRequest } from 'node:http'

/**
 * Sends the first `sendBytes` of a body that promises more, and waits for `cut`: a client in the middle of its upload. Settles when the
 * connection is gone, by whichever side.
 */
export const beginUpload = (
  url: string,
  body: Buffer,
  options: { readonly sendBytes: number; readonly headers?: Record<string, string> },
): { readonly sent: Promise<void>; readonly ended: Promise<void>; readonly cut: () => void } => {
  const request = httpRequest(url, {
    method: 'PUT',
    headers: { 'Content-Length': String(body.length), ...options.headers },
  })
  const ended = new Promise<void>((resolve) => {
    request.on('close', () => resolve())
    request.on('error', () => resolve())
  })
  const sent = new Promise<void>((resolve) => {
    request.write(body.subarray(0, options.sendBytes), () => resolve())
  })
  return { sent, ended, cut: () => request.destroy() }
}
