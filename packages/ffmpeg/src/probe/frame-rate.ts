/** Frames per second as an exact fraction: 30000/1001 is not 29.97. */
export type FrameRate = { numerator: number; denominator: number }

const minRate = 1
/**
 * Cameras record slow motion at up to 240, some at 480. A rate of 1000 is the clock of a file that counts
 * milliseconds.
 */
const maxSourceRate = 480
const maxOutputRate = 60

/**
 * Used when the file names no usable rate. The encoder repeats or drops frames, so any common rate displays
 * the video correctly.
 */
const fallbackRate: FrameRate = { numerator: 25, denominator: 1 }

const usualRates: readonly FrameRate[] = [
  { numerator: 24000, denominator: 1001 },
  { numerator: 24, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30000, denominator: 1001 },
  { numerator: 30, denominator: 1 },
  { numerator: 48, denominator: 1 },
  { numerator: 50, denominator: 1 },
  { numerator: 60000, denominator: 1001 },
  { numerator: 60, denominator: 1 },
  { numerator: 120000, denominator: 1001 },
  { numerator: 120, denominator: 1 },
  { numerator: 240000, denominator: 1001 },
  { numerator: 240, denominator: 1 },
]

export const framesPerSecond = (rate: FrameRate): number => rate.numerator / rate.denominator

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)

const fraction = (numerator: number, denominator: number): FrameRate => {
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

/**
 * Rounds a measured average such as 53820000/1796321 to the common rate within 0.5 %, otherwise to three
 * decimals.
 */
const tidyRate = (rate: number): FrameRate => {
  const distance = (usual: FrameRate): number => Math.abs(framesPerSecond(usual) / rate - 1)
  const nearest = usualRates.reduce((best, usual) => (distance(usual) < distance(best) ? usual : best))
  return distance(nearest) < 0.005 ? nearest : fraction(Math.round(rate * 1000), 1000)
}

const isUsual = (rate: number): boolean =>
  rate <= maxOutputRate && usualRates.some((usual) => Math.abs(framesPerSecond(usual) / rate - 1) < 0.0005)

/** Cameras and programs that record fewer frames have whole or half rates, or NTSC versions of these. */
const leastUnevenRate = 20

const isUneven = (rate: number): boolean =>
  rate < leastUnevenRate && Math.abs(2 * rate - Math.round(2 * rate)) > 0.05

const parseRatio = (text: unknown): number => {
  const match = /^(\d+)\/(\d+)$/.exec(String(text))
  return match ? Number(match[1]) / Number(match[2]) : NaN
}

const parseRate = (text: unknown): number | null => {
  const rate = parseRatio(text)
  return rate >= minRate && rate <= maxSourceRate ? rate : null
}

/**
 * Whether frames last longer on average than the rate implies; false when the file does not state an average.
 */
export const isSparse = (average: unknown, frameRate: FrameRate): boolean =>
  parseRatio(average) < 0.99 * framesPerSecond(frameRate)

export type ReadFrameRate = { frameRate: FrameRate; isVariableFrameRate: boolean }

/**
 * Derives the rate from ffprobe's avg_frame_rate (counted) and r_frame_rate (the lowest rate that represents
 * all timestamps). The nominal rate wins while the average is within 10 % below it, as on phones that drop
 * frames in the dark. A common nominal rate wins over any lower average, as in screen recordings. The average
 * wins when the nominal rate counts fields (twice the average) or is an uncommon one from a millisecond
 * clock. A low, uneven average is that of a recording which writes no frames while nothing moves: its moving parts have
 * more.
 */
export const readFrameRate = (average: unknown, nominal: unknown, isInterlaced: boolean): ReadFrameRate => {
  const averageRate = parseRate(average)
  const nominalRate = parseRate(nominal)
  if (averageRate === null) {
    const frameRate = nominalRate === null ? fallbackRate : tidyRate(nominalRate)
    return { frameRate, isVariableFrameRate: true }
  }
  if (nominalRate === null)
    return {
      frameRate: isUneven(averageRate) ? fallbackRate : tidyRate(averageRate),
      isVariableFrameRate: true,
    }
  const excess = nominalRate / averageRate
  const countsFields = Math.abs(excess - 2) < 0.02
  const isNominal = excess >= 1 && (excess <= 1.1 || (isUsual(nominalRate) && !countsFields))
  const rate = isNominal ? nominalRate : averageRate
  if (isUneven(rate)) return { frameRate: fallbackRate, isVariableFrameRate: true }
  return {
    frameRate: tidyRate(rate),
    isVariableFrameRate: Math.abs(excess - 1) > 0.01 && !(isInterlaced && countsFields),
  }
}

/** Limits the rate to 60 by halving it: keeping every second frame of 120 or 100 gives even motion. */
export const outputFrameRate = (source: FrameRate): FrameRate => {
  let { numerator, denominator } = source
  while (numerator / denominator > maxOutputRate) denominator *= 2
  return fraction(numerator, denominator)
}
