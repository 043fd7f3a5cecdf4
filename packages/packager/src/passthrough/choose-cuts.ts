/**
 * Chooses cuts as indexes into `points`, the ascending times at which a segment may begin, followed by the
 * end. Each segment is as close to the target as possible and never exceeds the maximum. Returns undefined
 * when that is impossible.
 */
export const chooseCuts = (
  points: ArrayLike<number>,
  target: number,
  maximum: number,
): readonly number[] | undefined => {
  const cuts = [0]
  const end = points.length - 1
  for (let start = 0; start < end; start = cuts.at(-1)!) {
    let best = start
    let bestDistance = Infinity
    for (let next = start + 1; next <= end; next++) {
      const duration = points[next]! - points[start]!
      const distance = Math.abs(duration - target)
      if (duration > maximum || distance > bestDistance) break
      // Prefer the last of several points with the same time; otherwise a segment without duration would lie
      // in between.
      if (duration > 0 && (distance < bestDistance || points[next] === points[best])) {
        best = next
        bestDistance = distance
      }
    }
    if (best === start) return undefined
    cuts.push(best)
  }
  return cuts
}
