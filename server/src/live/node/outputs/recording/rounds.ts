import type { LiveSegment, TrackFormat, TrackKind } from '@zoetrope/ll-hls'

export interface RoundSegment {
  readonly segment: LiveSegment
  readonly format: TrackFormat
  readonly pieces: readonly Buffer[]
}

/** The segments with the same number in all tracks, which cover the same time. */
export type Round = Partial<Record<TrackKind, RoundSegment>>

/**
 * Audio is a second later than video. A segment that is missing after this many later ones no longer arrives.
 */
const mostWaiting = 8

export class Rounds {
  readonly #onRound: (round: Round) => void
  readonly #firstNumbers = new Map<TrackKind, number>()
  #waiting: { readonly number: number; readonly round: Round }[] = []
  #nextNumber = 0

  constructor(onRound: (round: Round) => void) {
    this.#onRound = onRound
  }

  /** Adds a track from the next round on. */
  addKind(kind: TrackKind): void {
    if (!this.#firstNumbers.has(kind)) this.#firstNumbers.set(kind, this.#nextNumber)
  }

  add(kind: TrackKind, added: RoundSegment): void {
    const { number } = added.segment
    let waiting = this.#waiting.find((one) => one.number === number)
    if (waiting === undefined) {
      waiting = { number, round: {} }
      this.#waiting.push(waiting)
      this.#nextNumber = number + 1
    }
    waiting.round[kind] = added
    while (this.#waiting.length > 0 && this.#isReady(this.#waiting[0]!))
      this.#onRound(this.#waiting.shift()!.round)
  }

  /** Completes the waiting rounds, because no more segments arrive for them. */
  flush(): void {
    for (const { round } of this.#waiting.splice(0)) this.#onRound(round)
  }

  #isReady({ number, round }: { readonly number: number; readonly round: Round }): boolean {
    const isWhole = this.#firstNumbers
      .entries()
      .every(([kind, first]) => number < first || round[kind] !== undefined)
    return isWhole || this.#waiting.length > mostWaiting
  }
}
