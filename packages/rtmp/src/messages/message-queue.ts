/** Estimated memory per entry besides its payload. */
const overheadBytes = 200

/**
 * Queue between a producer and a single consumer. The producer waits while the queue exceeds its limit. The iterator is
 * not a generator, which would cost three promises for each message.
 */
export class MessageQueue<T> implements AsyncIterable<T> {
  readonly #highWaterBytes: number
  readonly #entries: { message: T; sizeBytes: number }[] = []
  #heldBytes = 0
  #isEnded = false
  #resolveConsumer: ((result: IteratorResult<T, undefined>) => void) | null = null
  #wakeProducer: (() => void) | null = null

  constructor(highWaterBytes: number) {
    this.#highWaterBytes = highWaterBytes
  }

  /** Adds a message. When a promise is returned, the producer must wait for it before it adds more. */
  push(message: T, payloadBytes: number): Promise<void> | null {
    if (this.#isEnded) return null
    if (this.#resolveConsumer !== null) {
      this.#answerConsumer({ done: false, value: message })
      return null
    }
    const sizeBytes = payloadBytes + overheadBytes
    this.#entries.push({ message, sizeBytes })
    this.#heldBytes += sizeBytes
    if (this.#heldBytes <= this.#highWaterBytes) return null
    return new Promise((resolve) => {
      this.#wakeProducer = resolve
    })
  }

  /** Ends the queue. Queued messages can still be consumed. */
  end(): void {
    this.#isEnded = true
    this.#answerConsumer(ended)
    this.#wakeProducer?.()
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => {
        const entry = this.#take()
        if (entry !== undefined) return Promise.resolve({ done: false, value: entry })
        if (this.#isEnded) return Promise.resolve(ended)
        return new Promise((resolve) => {
          this.#resolveConsumer = resolve
        })
      },
      // The consumer left its loop and needs no more messages.
      return: () => {
        this.#entries.length = 0
        this.end()
        return Promise.resolve(ended)
      },
    }
  }

  #answerConsumer(result: IteratorResult<T, undefined>): void {
    const resolve = this.#resolveConsumer
    this.#resolveConsumer = null
    resolve?.(result)
  }

  #take(): T | undefined {
    const entry = this.#entries.shift()
    if (entry === undefined) return undefined
    this.#heldBytes -= entry.sizeBytes
    // Wakes the producer at half the limit, to avoid pausing and resuming the socket for each message.
    if (this.#heldBytes <= this.#highWaterBytes / 2) this.#wakeProducer?.()
    return entry.message
  }
}

const ended = { done: true, value: undefined } as const
