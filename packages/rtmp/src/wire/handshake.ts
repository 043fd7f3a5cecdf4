import { randomBytes } from 'node:crypto'
import { RtmpError } from './rtmp-error.ts'

export const rtmpVersion = 3
export const handshakePacketBytes = 1_536
const none = Buffer.alloc(0)

export interface HandshakeStep {
  readonly answer: Buffer | null
  readonly rest: Buffer | null
}

/**
 * The simple handshake (RTMP 1.0, 5.2): version and random bytes that each side echoes. Echoes are not
 * verified.
 */
export class Handshake {
  #received: Buffer = none
  #isAnswered = false

  read(piece: Buffer): HandshakeStep {
    this.#received = Buffer.concat([this.#received, piece])
    if (this.#received[0] !== rtmpVersion)
      throw new RtmpError(
        'malformed',
        'The handshake is not RTMP. The client may use another protocol or RTMPE, which is not supported.',
      )
    return { answer: this.#answer(), rest: this.#rest() }
  }

  #answer(): Buffer | null {
    if (this.#isAnswered || this.#received.length < 1 + handshakePacketBytes) return null
    this.#isAnswered = true
    // Newer clients expect a version in these eight bytes. Zeros prevent them from requesting digests.
    const ours = Buffer.concat([Buffer.alloc(8), randomBytes(handshakePacketBytes - 8)])
    return Buffer.concat([Buffer.of(rtmpVersion), ours, this.#received.subarray(1, 1 + handshakePacketBytes)])
  }

  #rest(): Buffer | null {
    const lengthBytes = 1 + 2 * handshakePacketBytes
    return this.#received.length < lengthBytes ? null : this.#received.subarray(lengthBytes)
  }
}
