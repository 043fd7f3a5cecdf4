import { request } from 'node:http'

export interface HalfUpload {
  /** Settles when the sender gets a response or either side closes the connection. */
  readonly ended: Promise<void>
  readonly cut: () => void
}

export const beginUpload = (
  url: string,
  body: Buffer,
  options: {
    readonly sentBytes: number
    readonly method?: string
    readonly headers?: Record<string, string>
  },
): HalfUpload => {
  const { sentBytes, method = 'PUT', headers = {} } = options
  const sending = request(url, { method, headers: { 'Content-Length': String(body.length), ...headers } })
  const ended = new Promise<void>((resolve) => {
    sending.on('response', (answer) => {
      answer.resume()
      resolve()
    })
    sending.on('close', resolve)
    sending.on('error', () => resolve())
  })
  sending.write(body.subarray(0, sentBytes))
  return { ended, cut: () => sending.destroy() }
}
