import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readOptions, report } from './child-side.ts'

export interface RecordedAnswer {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface RawHttpOptions {
  readonly answersPath: string
}

const { answersPath } = readOptions() as RawHttpOptions
const recorded = JSON.parse(readFileSync(answersPath, 'utf8')) as RecordedAnswer[]
const answers = new Map(
  recorded.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body, 'base64') }]),
)

/** The limit of every read: plain node:http sending the same bytes. */
const server = createServer((request, response) => {
  const answer = answers.get(request.url ?? '')
  if (answer === undefined) response.writeHead(404).end()
  else response.writeHead(200, answer.headers).end(answer.body)
})
server.listen(0, '127.0.0.1', () => report({ port: (server.address() as AddressInfo).port }))
