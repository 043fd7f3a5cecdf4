import type { IncomingMessage } from 'node:http'
import type { NamedPlayer } from '../../../playback/live/live-players.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'

export interface Beacon {
  readonly session: string
  /** Null when the player cannot measure it. */
  readonly latencyMs: number | null
}

const maxBeaconBytes = 1024
/** An api process names up to 500 players at a time. */
const maxBatchBytes = 128 * 1024
const longestLatencyMs = 24 * 3_600_000

const readBody = (request: IncomingMessage, maxBytes: number): Promise<string> => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
    else reject(tooLarge(maxBytes))
  })
  request.once('end', () => resolve(Buffer.concat(chunks).toString()))
  request.once('close', () => reject(new Problem('beacon_interrupted')))
  return promise
}

/** Closes the connection, because the rest of the body is not read. */
const tooLarge = (maxBytes: number): Problem =>
  new Problem('beacon_too_large', { maxBytes }, { headers: { Connection: 'close' } })

/** Reads the players that an api process names. It has checked their reports. */
export const readPlayers = async (request: IncomingMessage): Promise<readonly NamedPlayer[]> =>
  JSON.parse(await readBody(request, maxBatchBytes)) as readonly NamedPlayer[]

/** Accepts any content type: `navigator.sendBeacon` sends text, so that no preflight is needed. */
export const readBeacon = async (request: IncomingMessage): Promise<Beacon> =>
  parseBeacon(await readBody(request, maxBeaconBytes))

export const parseBeacon = (text: string): Beacon => {
  const { Session, LatencyMs = null } = parseObject(text)
  if (typeof Session !== 'string' || !/^[A-Za-z0-9_-]{8,64}$/.test(Session))
    throw invalidField('Session', 'not_beacon_session')
  if (LatencyMs !== null && !isLatency(LatencyMs))
    throw invalidField('LatencyMs', 'not_latency', { max: longestLatencyMs })
  return { session: Session, latencyMs: LatencyMs }
}

const isLatency = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= longestLatencyMs

const parseObject = (text: string): Record<string, unknown> => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  if (typeof value !== 'object' || value === null) throw new Problem('beacon_not_object')
  return value as Record<string, unknown>
}
