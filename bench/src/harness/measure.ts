export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle]
  if (upper === undefined) throw new Error('There is no median of nothing.')
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** Nearest rank: the smallest value that at least `percent` of all values do not exceed. */
export const percentile = (values: readonly number[], percent: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)]
  if (value === undefined) throw new Error('There is no percentile of nothing.')
  return value
}

/**
 * Returns the median of value ÷ limit. Each pair is measured side by side, so a temporary slowdown affects
 * both.
 */
export const pairedRatio = (values: readonly number[], limits: readonly number[]): number =>
  median(values.map((value, index) => value / (limits[index] ?? Number.NaN)))

/** Measures all sides once per round in rotating order, so that none is always first. */
export const interleave = async <Name extends string, Result>(
  rounds: number,
  sides: Readonly<Record<Name, (round: number) => Promise<Result>>>,
): Promise<Record<Name, Result[]>> => {
  const names = Object.keys(sides) as Name[]
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed())
      results[name].push(await sides[name](round))
  return results
}
