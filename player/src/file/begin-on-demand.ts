/** A segment of a source in HD takes longer than two seconds below this. */
const slowBitsPerSecond = 2_000_000
/** TCP begins slowly: the engine takes as many round trips on the fastest line. */
const roundTrips = 3

/** Returns the rate at which the page has loaded the engine; null when the browser had it. */
export const lineBitsPerSecond = (
  entries: readonly Pick<
    PerformanceResourceTiming,
    'name' | 'transferSize' | 'requestStart' | 'responseStart' | 'responseEnd'
  >[],
): number | null => {
  const engine = entries.findLast(
    ({ name, transferSize }) => /\/engine\.js(\?|$)/.test(name) && transferSize > 50_000,
  )
  if (engine === undefined) return null
  const { transferSize, requestStart, responseStart, responseEnd } = engine
  const transferMs = responseEnd - responseStart - roundTrips * (responseStart - requestStart)
  return transferMs <= 0 ? Infinity : (transferSize * 8_000) / transferMs
}

/**
 * Options of hls.js for a file with renditions that may have to be encoded first. It begins with the source, which plays at
 * once, also in a small frame. Only on a slow line, the wait for the lowest rendition is shorter.
 */
export const beginOnDemand = () => {
  const rate = lineBitsPerSecond(performance.getEntriesByType('resource') as PerformanceResourceTiming[])
  return {
    capLevelToPlayerSize: false,
    // The measurement would load a segment of the lowest rendition.
    testBandwidth: false,
    ...(rate !== null && rate < slowBitsPerSecond
      ? { startLevel: 0, abrEwmaDefaultEstimate: rate }
      : { abrEwmaDefaultEstimate: 8_000_000 }),
  }
}

interface Level {
  readonly height: number
  readonly videoCodec: string | undefined
}

const codecOf = ({ videoCodec }: Level): string | undefined => videoCodec?.split('.')[0]

/**
 * Whether the playlist lists a whole ladder in another codec than that of the first variant. Rungs in such a codec are encoded together
 * and listed when they are complete, so the largest one shows that all are there. hls.js can then choose the codec.
 */
export const hasOtherLadder = (levels: readonly Level[], first: Level | undefined): boolean =>
  first !== undefined &&
  levels.some(
    (level) =>
      level.videoCodec !== undefined && codecOf(level) !== codecOf(first) && level.height >= first.height,
  )
