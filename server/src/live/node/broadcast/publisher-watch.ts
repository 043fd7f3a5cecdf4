import type { Message } from '@zoetrope/vocabulary'
import type { MediaMessage } from '@zoetrope/rtmp'
import { newMessage } from '../../../platform/base/message.ts'

/** Limit from the acceptance of a publisher to its first configuration. */
const configurationMs = 10_000
/** Limit to the first part, and between two parts. */
const partMs = 30_000

export class PublisherWatch {
  #acceptedAtMs: number
  #receivedAtMs: number
  #isConfigured = false
  #partAtMs: number | null = null

  constructor(nowMs: number) {
    this.#acceptedAtMs = nowMs
    this.#receivedAtMs = nowMs
  }

  receive({ type }: MediaMessage, nowMs: number): void {
    this.#receivedAtMs = nowMs
    if (type === 'video-configuration' || type === 'audio-configuration') this.#isConfigured = true
  }

  seePart(): void {
    this.#partAtMs = this.#receivedAtMs
  }

  silentMs(nowMs: number): number {
    return nowMs - this.#receivedAtMs
  }

  failure(nowMs: number): Message | null {
    const ms = nowMs - this.#acceptedAtMs
    if (!this.#isConfigured && ms > configurationMs) return newMessage('live_no_tracks')
    if (this.#partAtMs === null) return ms > partMs ? newMessage('live_no_key_frame') : null
    if (nowMs - this.#partAtMs <= partMs) return null
    return newMessage('live_nothing_shown')
  }
}
