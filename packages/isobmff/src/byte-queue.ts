/** Bytes that arrive in pieces and leave in other pieces, without joining what need not be joined. */
export class ByteQueue {
  readonly #input: AsyncIterator<Buffer>
  #pieces: Buffer[] = []
  #queuedBytes = 0
  #takenBytes = 0

  constructor(input: AsyncIterable<Buffer>) {
    this.#input = input[Symbol.asyncIterator]()
  }

  /** How many bytes have left so far. */
  get takenBytes(): number {
    return this.#takenBytes
  }

  /** Takes `length` bytes, or what is left where the input ends first. */
  async take(length: number): Promise<Buffer> {
    while (this.#queuedBytes < length) {
      const next = await this.#input.next()
      if (next.done === true) break
      this.#pieces.push(next.value)
      this.#queuedBytes += next.value.length
    }
    const taken: Buffer[] = []
    let missing = Math.min(length, this.#queuedBytes)
    this.#queuedBytes -= missing
    this.#takenBytes += missing
    let used = 0
    for (; missing > 0; used++) {
      const piece = this.#pieces[used]!
      taken.push(piece.subarray(0, missing))
      if (piece.length > missing) {
        this.#pieces[used] = piece.subarray(missing)
        break
      }
      missing -= piece.length
    }
    this.#pieces.splice(0, used)
    return taken.length === 1 ? taken[0]! : Buffer.concat(taken)
  }

  /** Lets the input clean up after itself when nobody reads on. */
  async close(): Promise<void> {
    await this.#input.return?.()
  }
}
