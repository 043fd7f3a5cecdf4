import type { Playback } from './playback.ts'

/** The server rejects higher values. */
const longestLatencyMs = 24 * 3_600_000

/** Time from the picture to the viewer; null if unknown. */
export const latencyOf = (playback: Playback | null, nowMs: number): number | null => {
  const shownAtMs = playback?.shownAtMs() ?? null
  const latencyMs = shownAtMs === null ? null : Math.round(nowMs - shownAtMs)
  return latencyMs !== null && latencyMs >= 0 && latencyMs <= longestLatencyMs ? latencyMs : null
}
