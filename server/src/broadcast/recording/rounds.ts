import type { LiveSegment, TrackFormat, TrackKind } from '@zoetrope/live'

export interface RoundSegment {
  readonly segment: LiveSegment
  readonly format: TrackFormat
  /** Its bytes. */
  readonly pieces: readonly Buffer[]
}

/** The segments of one number: those of all tracks cover the same time. */
export type Round = Partial<Record<TrackKind, RoundSegment>>

/** Sound is a second behind the picture; what has not come with so many later ones does not come. */
const mostWaiting = 8

/** Brings the segments of all tracks together, in order. */
export class Rounds {
  readonly #onRound: (round: Round) => void
  /** From which number on each track has segments. */
  readonly #firstNumbers = new Map<TrackKind, number>()
  #waiting: { readonly number: number; readonly round: Round }[] = []
  #nextNumber = 0

  constructor(onRound: (round: Round) => void) {
    this.#onRound = onRound
  }

  /** A track is there from now on. */
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

  /** Nothing more comes of what waits. */
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
