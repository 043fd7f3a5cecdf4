import { acknowledgementWindowBytes } from './answers.ts'
import { acknowledgement } from './control-messages.ts'
import type { OutgoingMessage } from '../wire/write-message.ts'

/** Counts received bytes. RTMP 1.0, 5.4.3: the receiver acknowledges each window of them. */
export class ReceivedBytes {
  windowBytes = acknowledgementWindowBytes
  #count = 0
  #acknowledged = 0

  get count(): number {
    return this.#count
  }

  add(bytes: number): void {
    this.#count += bytes
  }

  /** Returns the acknowledgement when it is due. */
  acknowledge(): OutgoingMessage | null {
    if (this.#count - this.#acknowledged < this.windowBytes) return null
    this.#acknowledged = this.#count
    return acknowledgement(this.#count)
  }
}
