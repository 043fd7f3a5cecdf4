import type { OwnedStream } from '../cluster/owned-stream.ts'
import { isForNextBroadcast } from './output-context.ts'

/** The newest known row of the stream, and its last version that the broadcast has applied. */
export class FollowedStream {
  readonly #atBegin: OwnedStream
  #row: OwnedStream
  #appliedVersion: number

  constructor(row: OwnedStream) {
    this.#atBegin = row
    this.#row = row
    this.#appliedVersion = row.applied_version
  }

  get row(): OwnedStream {
    return this.#row
  }

  /** Returns the former row, or null for a row of another broadcast or one older than the known one. */
  replace(row: OwnedStream, broadcastId: number): OwnedStream | null {
    const before = this.#row
    if (row.broadcast_id !== broadcastId || row.version < before.version) return null
    this.#row = row
    return before
  }

  /** Whether the version is now applied for the first time. Some settings wait for the next broadcast. */
  markApplied(): boolean {
    if (this.#row.version <= this.#appliedVersion || isForNextBroadcast(this.#atBegin, this.#row))
      return false
    this.#appliedVersion = this.#row.version
    return true
  }
}
