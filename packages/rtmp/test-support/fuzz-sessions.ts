import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../isobmff/test-support/mutations.ts'
import { createRtmpServer, type PublishEnd } from '../src/index.ts'
import { converseStrangely } from './strange-sessions.ts'

/**
 * Runs far more malformed sessions than the tests: `node packages/rtmp/test-support/fuzz-sessions.ts
 * [--sessions 10000] [--seed 1]`.
 *
 * Prints how the sessions ended and how much memory this process, which includes the server, used. Exits with
 * code 1 when the server failed or a session has not ended.
 */
const { values } = parseArgs({
  options: { sessions: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } },
})
const sessions = Number(values.sessions)
const random = seededRandom(Number(values.seed))
const atOnce = 25

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const errors: unknown[] = []
const counts = new Map<string, number>()
let published = 0
const messages = new Map<string, number>()

const rtmp = createRtmpServer({
  authorize: async ({ streamKey }) =>
    streamKey === 'right-key' ? { accept: true } : { refuse: 'No stream has this key.' },
  onPublish: async (session) => {
    published += 1
    for await (const { type } of session.messages) messages.set(type, (messages.get(type) ?? 0) + 1)
  },
  onError: (error) => errors.push(error),
})
let ends: Promise<PublishEnd>[] = []
const listener = createServer((socket) => void ends.push(rtmp.handleSocket(socket)))
listener.listen(0, '127.0.0.1')
await once(listener, 'listening')
const { port } = listener.address() as AddressInfo

const settle = async (): Promise<void> => {
  for (const { code } of await Promise.all(ends)) counts.set(code, (counts.get(code) ?? 0) + 1)
  ends = []
}

const converseMany = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += atOnce) {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - done) }, () => converseStrangely(port, random)),
    )
    await settle()
  }
}

const megabytes = (): string => {
  const { rss, heapUsed } = process.memoryUsage()
  return `RSS ${(rss / 2 ** 20).toFixed(0)} MB, heap ${(heapUsed / 2 ** 20).toFixed(0)} MB`
}

const tenth = Math.ceil(sessions / 10)
for (let done = 0; done < sessions; done += tenth) {
  await converseMany(Math.min(tenth, sessions - done))
  say(`${String(done + tenth).padStart(7)}  ${megabytes()}`)
}
say('')
for (const [code, count] of [...counts].toSorted(([, a], [, b]) => b - a))
  say(`${String(count).padStart(7)}  ${code}`)
say(`${String(published).padStart(7)}  published`)
for (const [type, count] of messages) say(`${String(count).padStart(15)}  ${type}`)
for (const error of errors.slice(0, 10)) say(String((error as Error).stack ?? error))
const isWell = errors.length === 0 && rtmp.connectionCount() === 0 && !counts.has('server_failed')
say(`${errors.length} errors of the server, ${rtmp.connectionCount()} connections left`)
listener.close()
await rtmp.close('The fuzzing is over.')
process.exitCode = isWell ? 0 : 1
