import type { ChunkLimits } from './chunk-reader.ts'

export interface RtmpLimits extends ChunkLimits {
  /** Maximum message size before authorization, when only short commands are expected. */
  readonly commandBytes: number
  /** Queue size at which the publisher is slowed down. */
  readonly queuedBytes: number
  /** Maximum number of connections; further ones are closed immediately. */
  readonly connections: number
}

/** A 4K key frame at 50 Mbit/s has about 3 MB. */
export const defaultLimits: RtmpLimits = {
  messageBytes: 8 * 2 ** 20,
  unfinishedBytes: 12 * 2 ** 20,
  chunkStreams: 32,
  commandBytes: 64 * 2 ** 10,
  queuedBytes: 4 * 2 ** 20,
  connections: 1_000,
}

/** Media waits at most this long to be read. */
export const readIntervalMs = 40

export interface RtmpTimeouts {
  readonly handshakeMs: number
  /** From the handshake, or from the end of a publish, to the next accepted publish. */
  readonly publishMs: number
  /** Maximum time between media messages. Paused while the consumer blocks the publisher. */
  readonly idleMs: number
  /** Time that a publisher has to close the connection after the final status message. */
  readonly finalStatusMs: number
}

export const defaultTimeouts: RtmpTimeouts = {
  handshakeMs: 10_000,
  publishMs: 20_000,
  idleMs: 30_000,
  finalStatusMs: 2_000,
}

/** Calls `run` once after the delay, unless the returned function is called first. */
export type StartTimer = (afterMs: number, run: () => void) => () => void

export const startRealTimer: StartTimer = (afterMs, run) => {
  const timer = setTimeout(run, afterMs)
  return () => clearTimeout(timer)
}
