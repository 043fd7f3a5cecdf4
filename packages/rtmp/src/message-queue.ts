/** Held by each entry besides its bytes. */
const overheadBytes = 200

/** What has been read and not yet taken by its one consumer. Whoever fills it waits while it holds too much. */
export class MessageQueue<T> implements AsyncIterable<T> {
  readonly #highWaterBytes: number
  readonly #entries: { message: T; sizeBytes: number }[] = []
  #heldBytes = 0
  #isEnded = false
  /** The consumer that waits for a message, and the producer that waits for room. */
  #wakeConsumer: (() => void) | null = null
  #wakeProducer: (() => void) | null = null

  constructor(highWaterBytes: number) {
    this.#highWaterBytes = highWaterBytes
  }

  /** Adds a message. A promise means: come back when it resolves, there is enough here. */
  push(message: T, payloadBytes: number): Promise<void> | null {
    if (this.#isEnded) return null
    const sizeBytes = payloadBytes + overheadBytes
    this.#entries.push({ message, sizeBytes })
    this.#heldBytes += sizeBytes
    this.#wakeConsumer?.()
    if (this.#heldBytes <= this.#highWaterBytes) return null
    return new Promise((resolve) => {
      this.#wakeProducer = resolve
    })
  }

  /** What is in it can still be taken; nothing more comes. */
  end(): void {
    this.#isEnded = true
    this.#wakeConsumer?.()
    this.#wakeProducer?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    try {
      for (;;) {
        const entry = this.#take()
        if (entry !== undefined) yield entry
        else if (this.#isEnded) return
        else await this.#filled()
      }
    } finally {
      // A consumer that leaves its loop wants no more.
      this.#entries.length = 0
      this.end()
    }
  }

  #take(): T | undefined {
    const entry = this.#entries.shift()
    if (entry === undefined) return undefined
    this.#heldBytes -= entry.sizeBytes
    // Woken at half, so that the socket isn't stopped and started for each message.
    if (this.#heldBytes <= this.#highWaterBytes / 2) this.#wakeProducer?.()
    return entry.message
  }

  #filled(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeConsumer = () => {
        this.#wakeConsumer = null
        resolve()
      }
    })
  }
}
