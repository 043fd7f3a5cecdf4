import { randomBytes } from 'node:crypto'
import { handshakePacketBytes, rtmpVersion } from '../wire/handshake.ts'
import { RtmpError } from '../wire/rtmp-error.ts'

/** RTMP 1.0, 5.2.1: version, the server's packet, which is echoed, and the echo of the client's packet. */
export class ClientHandshake {
  readonly #done = Promise.withResolvers<void>()
  readonly #send: (bytes: Buffer) => void
  #received: Buffer = Buffer.alloc(0)
  #isDone = false

  constructor(send: (bytes: Buffer) => void) {
    this.#send = send
    this.#done.promise.catch(() => {})
    send(Buffer.concat([Buffer.of(rtmpVersion), Buffer.alloc(8), randomBytes(handshakePacketBytes - 8)]))
  }

  get done(): Promise<void> {
    return this.#done.promise
  }

  /** Returns the bytes after the handshake, or null while it is incomplete. */
  read(piece: Buffer): Buffer | null {
    if (this.#isDone) return piece
    this.#received = Buffer.concat([this.#received, piece])
    if (this.#received[0] !== rtmpVersion)
      throw new RtmpError('malformed', 'The server does not support RTMP.')
    const lengthBytes = 1 + 2 * handshakePacketBytes
    if (this.#received.length < lengthBytes) return null
    this.#isDone = true
    this.#send(this.#received.subarray(1, 1 + handshakePacketBytes))
    this.#done.resolve()
    const rest = this.#received.subarray(lengthBytes)
    this.#received = Buffer.alloc(0)
    return rest
  }

  /** Rejects `done` if the handshake is incomplete. */
  fail(error: RtmpError): void {
    this.#done.reject(error)
  }
}
