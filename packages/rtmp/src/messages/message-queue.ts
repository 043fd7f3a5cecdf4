/** Estimated memory per entry besides its payload. */
const overheadBytes = 200

/** Queue between a producer and a single consumer. The producer waits while the queue exceeds its limit. */
export class MessageQueue<T> implements AsyncIterable<T> {
  readonly #highWaterBytes: number
  readonly #entries: { message: T; sizeBytes: number }[] = []
  #heldBytes = 0
  #isEnded = false
  #wakeConsumer: (() => void) | null = null
  #wakeProducer: (() => void) | null = null

  constructor(highWaterBytes: number) {
    this.#highWaterBytes = highWaterBytes
  }

  /** Adds a message. When a promise is returned, the producer must wait for it before it adds more. */
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

  /** Ends the queue. Queued messages can still be consumed. */
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
      // The consumer left its loop and needs no more messages.
      this.#entries.length = 0
      this.end()
    }
  }

  #take(): T | undefined {
    const entry = this.#entries.shift()
    if (entry === undefined) return undefined
    this.#heldBytes -= entry.sizeBytes
    // Wakes the producer at half the limit, to avoid pausing and resuming the socket for each message.
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
