/** CTA-5004-B: starting, playing, seeking, rebuffering, paused, ended, fatal error, quit, preloading. */
export type PlayerState = 's' | 'p' | 'k' | 'r' | 'a' | 'e' | 'f' | 'q' | 'd'

const longestCode = 60

/** One report in event mode, its keys in alphabetical order. */
export const reportLine = (report: {
  readonly event: 'ps' | 't' | 'e' | 'bc'
  readonly session: string
  readonly sequence: number
  readonly state: PlayerState
  readonly atMs: number
  readonly playheadMs: number | null
  readonly latencyMs: number | null
  readonly errorCode: string | null
  /** Bits per second. */
  readonly bitRate: number | null
  /** Video codec of the rendition. */
  readonly codec: string | null
  /** Shorter side of the rendition; 0 without a picture. */
  readonly heightPixels: number
  /** Size of the picture in percent of the rendition. */
  readonly scalePercent: number | null
}): string => {
  const { bitRate, codec, errorCode, heightPixels, latencyMs, playheadMs, scalePercent } = report
  return [
    ...(codec === null || heightPixels === 0 ? [] : [`com.zoetrope-codec="${codec}"`]),
    ...(heightPixels === 0 ? [] : [`com.zoetrope-height=${heightPixels}`]),
    ...(scalePercent === null ? [] : [`com.zoetrope-scale=${scalePercent}`]),
    `e=${report.event}`,
    ...(errorCode === null
      ? []
      : [`ec=("${errorCode.replaceAll(/[^ !#-[\]-~]/g, '').slice(0, longestCode)}")`]),
    ...(latencyMs === null ? [] : [`ltc=${Math.round(latencyMs)}`]),
    ...(bitRate === null ? [] : [`pb=(${Math.round(bitRate / 1_000)})`]),
    ...(playheadMs === null ? [] : [`pt=${Math.round(playheadMs)}`]),
    // Zoetrope's player always plays HLS.
    'sf=h',
    `sid="${report.session}"`,
    `sn=${report.sequence}`,
    `sta=${report.state}`,
    `ts=${Math.round(report.atMs)}`,
    'v=2',
  ].join()
}
