import type { ViewKind, ViewMeasures } from '../../platform/db/tables/analytics.ts'
import type { RenditionName } from '../dimensions/renditions.ts'

/** An open view: what later reports of its session continue. It is stored as JSON. */
export interface ViewState {
  readonly kind: ViewKind
  readonly viewer: string
  readonly lengthMs: number | null
  /** When the source that it plays arrived; null if it is not known. */
  readonly sourceAtMs: number | null
  dimensions: Readonly<Record<string, string>>
  /** Measures that do not count by dimension yet. */
  held?: Partial<ViewMeasures>
  readonly startedAtMs: number
  seenAtMs: number
  /** State of the player after the last line, a letter of CMCD. */
  sta: string | null
  ts: number | null
  sn: number | null
  playheadMs: number | null
  /** The player said in which state it is; otherwise only what it loaded is known. */
  hasStates: boolean
  /** Waiting after a seek is not rebuffering. */
  isAfterSeek: boolean
  hasStarted: boolean
  hasFailed: boolean
  isView: boolean
  isOver: boolean
  /** Wait before the first frame so far. */
  waitedMs: number
  startupMs: number | null
  watchMs: number
  rebuffers: number
  rebufferMs: number
  errorCode: string | null
  isStartCounted: boolean
  isComplete: boolean
  /** Bit rate of the rendition that plays. Null if the player did not report it. */
  bitRateKbps: number | null
  /** Size of the picture in percent of the rendition; null if the last line did not report it. */
  scalePercent: number | null
  /** What plays; null if it is not known. */
  rendition: RenditionName | null
  /** Playing time of each rendition. */
  renditionMs: Readonly<Record<RenditionName, number>>
  /** Playing time with a known bit rate, and its bits. */
  ratedMs: number
  ratedBits: number
  /** Playing time with a known size of the picture, and that in which it was larger than the rendition. */
  scaledMs: number
  upscaledMs: number
  loadedVideoMs: number
  loadedAudioMs: number
  /** Ranges played before it counts as a view. */
  early: readonly (readonly [number, number])[]
  /** Parts of the file whose middle was played. */
  reached: readonly number[]
  /** The last minute in which it counted as playing. */
  minute: number | null
}

export const newView = (
  first: Pick<ViewState, 'kind' | 'viewer' | 'lengthMs' | 'dimensions' | 'startedAtMs'> &
    Partial<Pick<ViewState, 'sourceAtMs'>>,
): ViewState => ({
  ...first,
  sourceAtMs: first.sourceAtMs ?? null,
  seenAtMs: first.startedAtMs,
  sta: null,
  ts: null,
  sn: null,
  playheadMs: null,
  hasStates: false,
  isAfterSeek: false,
  hasStarted: false,
  hasFailed: false,
  isView: false,
  isOver: false,
  waitedMs: 0,
  startupMs: null,
  watchMs: 0,
  rebuffers: 0,
  rebufferMs: 0,
  errorCode: null,
  isStartCounted: false,
  isComplete: false,
  bitRateKbps: null,
  rendition: null,
  renditionMs: {},
  scalePercent: null,
  ratedMs: 0,
  ratedBits: 0,
  scaledMs: 0,
  upscaledMs: 0,
  loadedVideoMs: 0,
  loadedAudioMs: 0,
  early: [],
  reached: [],
  minute: null,
})
