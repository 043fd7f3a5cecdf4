import { MediaMemory } from './live-media-check.ts'
import type { SeenPlaylist, SeenSegment } from './live-playlist.ts'

/** Players start near the live edge. */
const segmentsAtFirst = 2
/** Number of segments before the open one that are compared after an interruption. */
const segmentsCompared = 6
/** Sound is cut up to a frame earlier or later, and durations are rounded. */
const timelineToleranceSeconds = 0.05

interface Piece {
  readonly uri: string
  readonly durationSeconds: number
  readonly isGap?: boolean
}

export interface PiecesOptions {
  /** Null when the request fails. `uri` is as written in the playlist. */
  readonly load: (uri: string) => Promise<Buffer | null>
  readonly onFault: (fault: string) => void
  /** Whether audio and video share segments: interleaved in parts, consecutive in a whole segment. */
  readonly isMuxed: boolean
}

/**
 * Loads the media of one rendition, in parts where available, and compares it with earlier bytes and with the
 * timeline.
 */
export class TrackPieces {
  readonly #options: PiecesOptions
  readonly #memory = new MediaMemory()
  #played = { number: -1, parts: 0 }
  /** Expected start of the next piece. Null after a gap or a jump. */
  #endSeconds: number | null = null
  loaded = 0
  compared = 0

  constructor(options: PiecesOptions) {
    this.#options = options
  }

  async playNew({ segments, open }: SeenPlaylist): Promise<void> {
    const first = segments.at(-segmentsAtFirst)?.number ?? open.number
    if (this.#played.number < first - 1) {
      this.#played = { number: first, parts: 0 }
      this.#endSeconds = null
    }
    for (const segment of [...segments, open]) {
      const { number, parts } = segment
      const done = number === this.#played.number ? this.#played.parts : 0
      if (number < this.#played.number || done === Infinity) continue
      const isWhole = segment !== open
      if (isWhole && done === 0 && parts.length === 0) await this.#play(segment, segment)
      else {
        // The remaining parts are only available as a whole segment, or are lost.
        if (isWhole && parts.length < done) this.#endSeconds = null
        for (const part of parts.slice(done)) await this.#play(segment, part)
      }
      this.#played = { number, parts: isWhole ? Infinity : parts.length }
    }
  }

  /** Loads a random segment of the window, preferably a known one, and compares it with its parts. */
  async compareOne({ segments }: SeenPlaylist): Promise<void> {
    const there = segments.filter(({ isGap }) => !isGap)
    const known = there.filter(({ uri }) => this.#memory.has(uri))
    const from = Math.random() < 0.5 && known.length > 0 ? known : there
    const segment = from[Math.floor(Math.random() * from.length)]
    if (segment === undefined) return
    const bytes = await this.#load(segment.uri)
    if (bytes === null) return
    this.compared += 1
    if (segment.parts.length === 0 || segment.parts.some(({ isGap }) => isGap === true)) return
    // The tests of packages/ll-hls compare the frames of muxed segments.
    if (this.#options.isMuxed) return
    const parts: Buffer[] = []
    for (const { uri } of segment.parts) {
      const part = await this.#load(uri)
      if (part === null) return
      parts.push(part)
    }
    if (!Buffer.concat(parts).equals(bytes)) this.#options.onFault(`${segment.uri} is not its parts`)
  }

  /** After an interruption, all known media that is still listed must be unchanged. */
  async compareKnown({ segments, open }: SeenPlaylist): Promise<void> {
    const near = [...segments.slice(-segmentsCompared), open]
    const uris = near.flatMap(({ uri, parts }) => [uri, ...parts.map((part) => part.uri)])
    for (const uri of uris.filter((one) => this.#memory.has(one)))
      if ((await this.#load(uri)) !== null) this.compared += 1
  }

  async #load(uri: string): Promise<Buffer | null> {
    const bytes = await this.#options.load(uri)
    if (bytes === null) return null
    this.loaded += 1
    if (!this.#memory.isSame(uri, bytes)) this.#options.onFault(`${uri} has other bytes than before`)
    return bytes
  }

  async #play({ initUri, isBreak }: SeenSegment, piece: Piece): Promise<void> {
    if (!this.#memory.hasInit(initUri)) {
      const init = await this.#load(initUri)
      if (init !== null) this.#memory.addInit(initUri, init)
    }
    const bytes = piece.isGap === true ? null : await this.#load(piece.uri)
    if (bytes === null || !this.#memory.hasInit(initUri)) {
      this.#endSeconds = null
      return
    }
    const startSeconds = this.#memory.startSeconds(initUri, bytes)
    const leapSeconds = startSeconds - (this.#endSeconds ?? startSeconds)
    const isAhead = leapSeconds > timelineToleranceSeconds && !isBreak
    if (leapSeconds < -timelineToleranceSeconds || isAhead)
      this.#options.onFault(
        `${piece.uri} begins ${leapSeconds.toFixed(3)} s behind the end of what was before`,
      )
    this.#endSeconds = startSeconds + piece.durationSeconds
  }
}
