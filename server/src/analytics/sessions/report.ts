import type { ViewKind } from '../../platform/db/tables/analytics.ts'
import type { RenditionName } from '../dimensions/renditions.ts'

/** One line of a report in event mode (CMCD version 2). */
export interface ReportLine {
  /** Sequence number of the player; null if it sends none. */
  readonly sn: number | null
  /** Clock of the player, in milliseconds. Only differences count. */
  readonly ts: number
  /** State of the player, a letter of CMCD; null if the line has none. */
  readonly sta: string | null
  readonly playheadMs: number | null
  /** Time from the request to play until the first frame. */
  readonly startupMs: number | null
  /** Latency of a live stream. */
  readonly latencyMs: number | null
  readonly errorCode: string | null
  /** Bit rate of the rendition. */
  readonly bitRateKbps: number | null
  /** Null if neither the player nor its bit rate names it. */
  readonly rendition: RenditionName | null
  /** Size of the picture in percent of the rendition: 150 is half as large again. */
  readonly scalePercent: number | null
}

/** Media that a player loaded, from the keys of its request. */
export interface Load {
  readonly isVideo: boolean
  readonly mediaMs: number
  /** Missing from older api processes; null if it is not known. */
  readonly rendition?: RenditionName | null
}

/** What one session sent, in one or more requests. */
export interface Report {
  readonly playoutId: string
  readonly sessionId: string
  readonly arrivedAtMs: number
  readonly kind: ViewKind
  /** 64 bits in hexadecimal: a hash with the salt of the day. */
  readonly viewer: string
  /** Length of the file; null if there is none. */
  readonly lengthMs: number | null
  /** When the source of the file arrived. Missing from older api processes; null if there is none. */
  readonly sourceAtMs?: number | null
  readonly dimensions: Readonly<Record<string, string>>
  readonly lines: readonly ReportLine[]
  readonly loads: readonly Load[]
}
