import { connect } from 'node:net'
import type { Answer } from '../../../../test/support/test-server.ts'

/**
 * Sends bytes that no HTTP client would send, and reads until the server closes the connection. Returns the
 * first response, or null when the server sent none.
 */
export const rawRequest = async (url: string, ...writes: (string | Buffer)[]): Promise<Answer | null> => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  for (const bytes of writes) socket.write(bytes)
  await new Promise((resolve) => socket.on('close', resolve))
  const text = Buffer.concat(chunks).toString('utf8')
  if (text === '') return null
  const [head = '', rest = ''] = text.split(/\r\n\r\n(.*)/s)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line): [string, string] => [line.split(':')[0] ?? '', line.replace(/^[^:]*: ?/, '')]),
  )
  const lengthBytes = headers.get('content-length')
  const body = lengthBytes === null ? rest : Buffer.from(rest).subarray(0, Number(lengthBytes)).toString()
  return {
    status: Number(statusLine.split(' ')[1]),
    headers,
    body: headers.get('content-type')?.includes('json') === true && body !== '' ? JSON.parse(body) : body,
  }
}
