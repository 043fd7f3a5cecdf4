import type { Load, ReportLine } from '../sessions/report.ts'
import { unknownValue } from '../dimensions/names.ts'
import { codecName, renditionName, sizeName, type RenditionName } from '../dimensions/renditions.ts'
import { formatIn } from './declared-dimensions.ts'
import { scanCmcd, type CmcdKeys, type CmcdValue } from './scan-cmcd.ts'

/** CTA-5004: a session id has at most 64 characters. */
const sessionId = /^[\x21-\x7e]{1,64}$/
const states = 'spkrawefqd'
const longestCode = 64

const whole = (value: CmcdValue | undefined, max: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= max ? Math.round(value) : null

const dayMs = 86_400_000
const latestMs = 253_402_300_799_999

export interface SessionLine {
  readonly sessionId: string
  readonly line: ReportLine
  /** Streaming format; null if the line does not tell. */
  readonly format: string | null
}

export const sessionOf = ({ sid }: CmcdKeys): string | null =>
  typeof sid === 'string' && sessionId.test(sid) ? sid : null

/** PostgreSQL stores neither NUL nor half of a surrogate pair, and one such text would stop all others. */
const storable = (text: string): string => text.replaceAll(/[^ -~]/g, '').slice(0, longestCode)

/** Players that report no playhead can add it to their custom keys. */
const customPlayhead = 'com.zoetrope-pt'

/** CMCD has no key for the size of the picture, so players add it to their custom keys. */
const customScale = 'com.zoetrope-scale'
/** No rendition has a higher bit rate, and no screen is so much larger than one. */
const highestKbps = 1_000_000
const largestScale = 10_000

/** CMCD has no keys for codec and size of a rendition either. */
const customCodec = 'com.zoetrope-codec'
const customHeight = 'com.zoetrope-height'
const largestPixels = 32_768

const renditionOf = (keys: CmcdKeys): RenditionName | null => {
  const pixels = whole(keys[customHeight], largestPixels)
  if (pixels === null || pixels === 0) return null
  const codec = keys[customCodec]
  return renditionName(typeof codec === 'string' ? codecName(codec) : unknownValue, sizeName(pixels, pixels))
}

/** hls.js cannot report that the page closes, except with a custom event. */
const stateOf = ({ e, cen, sta }: CmcdKeys): string | null => {
  if (e === 'ce' && cen === 'quit') return 'q'
  return typeof sta === 'string' && sta.length === 1 && states.includes(sta) ? sta : null
}

/** Reads a line of a report in event mode. Null if it is malformed, or lacks the session or the time. */
export const readLine = (text: string): SessionLine | null => {
  const keys = scanCmcd(text)
  const session = keys === null ? null : sessionOf(keys)
  const ts = keys === null ? null : whole(keys['ts'], latestMs)
  if (keys === null || session === null || ts === null) return null
  const { ec } = keys
  return {
    sessionId: session,
    format: formatIn(keys),
    line: {
      ts,
      sn: whole(keys['sn'], Number.MAX_SAFE_INTEGER),
      sta: stateOf(keys),
      playheadMs: whole(keys['pt'] ?? keys[customPlayhead], 30 * dayMs),
      startupMs: whole(keys['msd'], 600_000),
      latencyMs: whole(keys['ltc'], dayMs),
      errorCode: ec === undefined ? null : storable(String(ec)),
      // The bit rate of what plays, or else of what loads.
      bitRateKbps: whole(keys['pb'] ?? keys['br'], highestKbps),
      rendition: renditionOf(keys),
      scalePercent: whole(keys[customScale], largestScale),
    },
  }
}

/** Reads what a request for media says about it. Null without a session or a duration. */
export const readLoad = (
  keys: CmcdKeys,
): {
  readonly sessionId: string
  readonly format: string | null
  readonly load: Load | null
} | null => {
  const session = sessionOf(keys)
  if (session === null) return null
  const mediaMs = whole(keys['d'], 60_000)
  const type = keys['ot']
  const isMedia = type === 'v' || type === 'av' || type === 'a'
  return {
    sessionId: session,
    format: formatIn(keys),
    load: mediaMs === null || !isMedia ? null : { isVideo: type !== 'a', mediaMs },
  }
}

const cmcdHeaders = ['cmcd-object', 'cmcd-request', 'cmcd-session', 'cmcd-status'] as const

/** Returns the keys that a request for media has in its query or its headers. Null without any. */
export const keysOfRequest = (
  query: { readonly CMCD?: string },
  headers: Readonly<Record<string, string | string[] | undefined>>,
): CmcdKeys | null => {
  const inQuery = query.CMCD
  if (inQuery !== undefined) return scanCmcd(inQuery)
  const parts = cmcdHeaders.flatMap((name) => headers[name] ?? [])
  return parts.length === 0 ? null : scanCmcd(parts.join())
}
