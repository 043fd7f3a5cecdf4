import type { MediaMessage } from '@zoetrope/rtmp'

/** From the acceptance of a publisher to its first configuration, and to the first segment. */
const configurationMs = 10_000
const firstPartMs = 30_000
/** Who has sent nothing for so long may be replaced: its connection may be dead without anybody's notice. */
const stalledMs = 5_000

/** Whether a publisher does what it came for. */
export class PublisherWatch {
  #acceptedAtMs: number
  #heardAtMs: number
  #isConfigured = false
  #hasMadePart = false

  constructor(nowMs: number) {
    this.#acceptedAtMs = nowMs
    this.#heardAtMs = nowMs
  }

  hear({ type }: MediaMessage, nowMs: number): void {
    this.#heardAtMs = nowMs
    if (type === 'video-configuration' || type === 'audio-configuration') this.#isConfigured = true
  }

  /** Something came of what it sent. */
  seePart(): void {
    this.#hasMadePart = true
  }

  isStalled(nowMs: number): boolean {
    return nowMs - this.#heardAtMs > stalledMs
  }

  /** Why it is not worth waiting for; null as long as it is. */
  failure(nowMs: number): string | null {
    const ms = nowMs - this.#acceptedAtMs
    if (!this.#isConfigured && ms > configurationMs)
      return 'The encoder sent no picture and no sound within 10 s.'
    if (!this.#hasMadePart && ms > firstPartMs)
      return 'What the encoder sent in 30 s has no key frame to begin with.'
    return null
  }
}
