import type { ChunkLimits } from './chunk-reader.ts'

export interface RtmpLimits extends ChunkLimits {
  /** The longest message before a publisher has shown its key: commands are short. */
  readonly commandBytes: number
  /** What waits for the consumer before the publisher is slowed down. */
  readonly queuedBytes: number
  /** Further connections are closed at once. */
  readonly connections: number
}

/** A key frame of 4K at 50 Mbit/s has some 3 MB. */
export const defaultLimits: RtmpLimits = {
  messageBytes: 8 * 2 ** 20,
  unfinishedBytes: 12 * 2 ** 20,
  chunkStreams: 32,
  commandBytes: 64 * 2 ** 10,
  queuedBytes: 4 * 2 ** 20,
  connections: 1_000,
}

export interface RtmpTimeouts {
  /** From the connection to the end of the handshake. */
  readonly handshakeMs: number
  /** From there, and from the end of a publish, to the next one that is accepted. */
  readonly publishMs: number
  /** From one frame or other media message to the next. Does not run while the consumer makes the publisher wait. */
  readonly idleMs: number
  /** How long a publisher that is told why it was cut off has to hang up. */
  readonly farewellMs: number
}

export const defaultTimeouts: RtmpTimeouts = {
  handshakeMs: 10_000,
  publishMs: 20_000,
  idleMs: 30_000,
  farewellMs: 2_000,
}

/** Calls `run` once after a while, unless the returned function is called before. */
export type StartTimer = (afterMs: number, run: () => void) => () => void

export const startRealTimer: StartTimer = (afterMs, run) => {
  const timer = setTimeout(run, afterMs)
  return () => clearTimeout(timer)
}
