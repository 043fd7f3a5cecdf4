/**
 * Where to cut, as indexes into `points`: the times, rising, at which a segment may begin, and last the end of all. Each segment
 * comes as near to the target as the points allow, none above the maximum; undefined where that cannot be.
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
      // Of points at one time the last: what lies between would be a segment without duration.
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
