import { createReadStream } from 'node:fs'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { readOptions, report } from './child-side.ts'

export interface UploadClientOptions {
  readonly port: number
  /** Goes before the bytes: the head of an HTTP request, or nothing. */
  readonly head: string
  readonly filePath: string
  /** How the answer of a receiver that has all bytes begins. */
  readonly expectedAnswer: string
}

export interface UploadResult {
  /** From the first byte sent to the answer. */
  readonly seconds: number
}

const { port, head, filePath, expectedAnswer } = readOptions() as UploadClientOptions
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
  void pipeline(createReadStream(filePath, { highWaterMark: 1024 * 1024 }), socket, { end: false })
})
