import type { MediaMessage } from '@zoetrope/rtmp'

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

  failure(nowMs: number): string | null {
    const ms = nowMs - this.#acceptedAtMs
    if (!this.#isConfigured && ms > configurationMs) return 'The encoder sent no video or audio within 10 s.'
    if (this.#partAtMs === null) return ms > partMs ? 'The encoder sent no key frame within 30 s.' : null
    if (nowMs - this.#partAtMs <= partMs) return null
    return 'Nothing could be shown for 30 s: the encoder sends no media, no key frames, or timestamps that do not advance.'
  }
}
