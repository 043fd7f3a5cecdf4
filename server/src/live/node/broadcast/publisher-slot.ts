import { setTimeout as delay } from 'node:timers/promises'
import type { Message } from '@zoetrope/vocabulary'
import type { LivePublisher } from '../channel/live-publisher.ts'
import { PublisherWatch } from './publisher-watch.ts'

/** A publisher that is silent for this long may be replaced: its connection may be dead without notice. */
const silenceMs = { rtmp: 1_000, other: 5_000 }
/** Bytes that a busy node has not read yet arrive within this time. */
const unreadMs = 100

export class PublisherSlot {
  #publisher: LivePublisher | null = null
  /** A publisher is accepted but has not arrived yet. */
  #isExpecting = false
  #revocation: Message | null = null
  #watch: PublisherWatch

  constructor(nowMs: number) {
    this.#watch = new PublisherWatch(nowMs)
  }

  get publisher(): LivePublisher | null {
    return this.#publisher
  }
  get isExpecting(): boolean {
    return this.#isExpecting
  }
  get isTaken(): boolean {
    return this.#isExpecting || this.#publisher !== null
  }
  get watch(): PublisherWatch {
    return this.#watch
  }

  expect(): void {
    this.#isExpecting = true
  }

  revoke(reason: Message): void {
    if (this.#isExpecting) this.#revocation = reason
  }

  /** Ends the expectation. Returns why the publisher is refused, or null. */
  endExpectation(): Message | null {
    const revocation = this.#revocation
    this.#isExpecting = false
    this.#revocation = null
    return revocation
  }

  enter(publisher: LivePublisher, nowMs: number): void {
    this.#publisher = publisher
    this.#watch = new PublisherWatch(nowMs)
  }

  leave(): void {
    this.#publisher = null
  }

  async isAbandoned(nowMs: number): Promise<boolean> {
    const publisher = this.#publisher
    if (publisher === null) return false
    const limitMs = publisher.protocol.startsWith('rtmp') ? silenceMs.rtmp : silenceMs.other
    if (this.#watch.silentMs(nowMs) <= limitMs) return false
    const receivedBytes = publisher.receivedBytes()
    await delay(unreadMs)
    return this.#publisher === publisher && publisher.receivedBytes() === receivedBytes
  }
}
