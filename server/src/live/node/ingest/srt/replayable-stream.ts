import type { Readable } from 'node:stream'

/** More than ffmpeg probes before the first frame. */
const longestHeadBytes = 32 * 2 ** 20
/** Limit of the bytes that wait for a slow reader. */
const longestQueueBytes = 4 * 2 ** 20

/** A stream that can be read from its start again, until `keepNothing` is called. */
export class ReplayableStream {
  readonly #source: Readable
  /** Pieces from number `#firstPiece` on. */
  #pieces: Buffer[] = []
  #firstPiece = 0
  #heldBytes = 0
  #isKept = true
  #reader = 0
  #hasEnded = false
  #news = Promise.withResolvers<void>()

  constructor(source: Readable) {
    this.#source = source
    source.on('data', (piece: Buffer) => {
      this.#pieces.push(piece)
      this.#heldBytes += piece.length
      this.#balance()
      this.#wake()
    })
    source.once('close', () => {
      this.#hasEnded = true
      this.#wake()
    })
  }

  read(): AsyncGenerator<Buffer> {
    return this.#readAs(++this.#reader)
  }

  /** Releases bytes once they are read, from now on. */
  keepNothing(): void {
    this.#isKept = false
  }

  async *#readAs(reader: number): AsyncGenerator<Buffer> {
    for (let next = this.#firstPiece; ; next++) {
      while (next - this.#firstPiece >= this.#pieces.length) {
        if (this.#hasEnded) return
        await this.#news.promise
        if (this.#reader !== reader) return
      }
      const piece = this.#pieces[next - this.#firstPiece]!
      if (!this.#isKept) this.#dropUntil(next + 1)
      yield piece
      if (this.#reader !== reader) return
    }
  }

  #dropUntil(piece: number): void {
    const dropped = this.#pieces.splice(0, piece - this.#firstPiece)
    this.#firstPiece = piece
    for (const { length } of dropped) this.#heldBytes -= length
    this.#balance()
  }

  #balance(): void {
    if (this.#heldBytes > (this.#isKept ? longestHeadBytes : longestQueueBytes)) this.#source.pause()
    else this.#source.resume()
  }

  #wake(): void {
    this.#news.resolve()
    this.#news = Promise.withResolvers<void>()
  }
}
