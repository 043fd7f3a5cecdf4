/** CTA-5004-B: starting, playing, seeking, rebuffering, paused, ended, fatal error, quit, preloading. */
export type PlayerState = 's' | 'p' | 'k' | 'r' | 'a' | 'e' | 'f' | 'q' | 'd'

const longestCode = 60

/** One report in event mode, its keys in alphabetical order. */
export const reportLine = (report: {
  readonly event: 'ps' | 't' | 'e'
  readonly session: string
  readonly sequence: number
  readonly state: PlayerState
  readonly atMs: number
  readonly playheadMs: number | null
  readonly latencyMs: number | null
  readonly errorCode: string | null
}): string => {
  const { errorCode, latencyMs, playheadMs } = report
  return [
    `e=${report.event}`,
    ...(errorCode === null
      ? []
      : [`ec=("${errorCode.replaceAll(/[^ !#-[\]-~]/g, '').slice(0, longestCode)}")`]),
    ...(latencyMs === null ? [] : [`ltc=${Math.round(latencyMs)}`]),
    ...(playheadMs === null ? [] : [`pt=${Math.round(playheadMs)}`]),
    `sid="${report.session}"`,
    `sn=${report.sequence}`,
    `sta=${report.state}`,
    `ts=${Math.round(report.atMs)}`,
    'v=2',
  ].join()
}
