/** Re-chunks a byte stream and copies only when a chunk spans several input pieces. */
export class ByteQueue {
  readonly #input: AsyncIterator<Buffer>
  #pieces: Buffer[] = []
  #queuedBytes = 0
  #takenBytes = 0

  constructor(input: AsyncIterable<Buffer>) {
    this.#input = input[Symbol.asyncIterator]()
  }

  get takenBytes(): number {
    return this.#takenBytes
  }

  /** Takes `length` bytes, or fewer when the input ends first. */
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

  /** Closes the input when the consumer stops early. */
  async close(): Promise<void> {
    await this.#input.return?.()
  }
}
