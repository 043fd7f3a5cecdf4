import type { MediaMessage } from '@zoetrope/rtmp'

/** From the acceptance of a publisher to its first configuration. */
const configurationMs = 10_000
/** To its first part, and from each to the next. */
const partMs = 30_000

/** Whether a publisher does what it came for. */
export class PublisherWatch {
  #acceptedAtMs: number
  #heardAtMs: number
  #isConfigured = false
  #partAtMs: number | null = null

  constructor(nowMs: number) {
    this.#acceptedAtMs = nowMs
    this.#heardAtMs = nowMs
  }

  hear({ type }: MediaMessage, nowMs: number): void {
    this.#heardAtMs = nowMs
    if (type === 'video-configuration' || type === 'audio-configuration') this.#isConfigured = true
  }

  /** Something came of what it sent last. */
  seePart(): void {
    this.#partAtMs = this.#heardAtMs
  }

  silentMs(nowMs: number): number {
    return nowMs - this.#heardAtMs
  }

  /** Why it is not worth waiting for; null as long as it is. */
  failure(nowMs: number): string | null {
    const ms = nowMs - this.#acceptedAtMs
    if (!this.#isConfigured && ms > configurationMs)
      return 'The encoder sent no picture and no sound within 10 s.'
    if (this.#partAtMs === null)
      return ms > partMs ? 'What the encoder sent in 30 s has no key frame to begin with.' : null
    if (nowMs - this.#partAtMs <= partMs) return null
    return 'Nothing to show came of the last 30 s: the encoder sends nothing, no key frames, or time stamps that do not advance.'
  }
}
