import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readOptions, report } from './child-side.ts'

export interface UploadClientOptions {
  readonly port: number
  /** Sent before the bytes: the head of an HTTP request, or nothing. */
  readonly head: string
  /** A file to send, or a number of bytes to generate. */
  readonly source: string | number
  /** Start of the response of a receiver that has all bytes. */
  readonly expectedAnswer: string
}

export interface UploadResult {
  /** Time from the first byte sent to the response. */
  readonly seconds: number
}

const blockBytes = 1024 * 1024

function* madeBytes(count: number): Generator<Buffer> {
  const block = randomBytes(blockBytes)
  for (let left = count; left > 0; left -= blockBytes)
    yield left < blockBytes ? block.subarray(0, left) : block
}

const { port, head, source, expectedAnswer } = readOptions() as UploadClientOptions
const socket = connect({ port, host: '127.0.0.1' })
socket.on('connect', () => {
  const startedMs = performance.now()
  socket.once('data', (answer: Buffer) => {
    if (!answer.toString('latin1').startsWith(expectedAnswer))
      throw new Error(`The receiver answered: ${answer.toString('utf8').slice(0, 1_000)}`)
    const result: UploadResult = { seconds: (performance.now() - startedMs) / 1000 }
    report(result)
  })
  socket.write(head)
  const bytes =
    typeof source === 'number'
      ? Readable.from(madeBytes(source), { highWaterMark: 2 })
      : createReadStream(source, { highWaterMark: blockBytes })
  void pipeline(bytes, socket, { end: false })
})
