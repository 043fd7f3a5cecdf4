export const heatParts = 100

/** Milliseconds played in each part of a file, and the parts whose middle was played. */
export const heatOf = (
  [fromMs, toMs]: readonly [number, number],
  lengthMs: number,
): { readonly playedMs: ReadonlyMap<number, number>; readonly middles: readonly number[] } => {
  const partMs = lengthMs / heatParts
  const playedMs = new Map<number, number>()
  const middles: number[] = []
  const [start, end] = [Math.max(0, fromMs), Math.min(lengthMs, toMs)]
  for (let part = Math.floor(start / partMs); part < heatParts && part * partMs < end; part++) {
    const overlapMs = Math.min(end, (part + 1) * partMs) - Math.max(start, part * partMs)
    if (overlapMs > 0) playedMs.set(part, Math.round(overlapMs))
    const middle = (part + 0.5) * partMs
    if (start <= middle && middle < end) middles.push(part)
  }
  return { playedMs, middles }
}
