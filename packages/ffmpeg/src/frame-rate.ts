/** Frames per second as an exact fraction: 30000/1001 is not 29.97. */
export type FrameRate = { numerator: number; denominator: number }

const minRate = 1
/** Slow motion is recorded with up to 240, as it is with 480 by some; a thousand is the clock of a file that counts milliseconds. */
const maxSourceRate = 480
const maxOutputRate = 60

/** Where the file names no usable rate: the encoder repeats or drops frames to it, so any usual rate shows the video rightly. */
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

/** Averages are measured from timestamps and come as 53820000/1796321: take the usual rate within 0.5 %, else three decimals. */
const tidyRate = (rate: number): FrameRate => {
  const distance = (usual: FrameRate): number => Math.abs(framesPerSecond(usual) / rate - 1)
  const nearest = usualRates.reduce((best, usual) => (distance(usual) < distance(best) ? usual : best))
  return distance(nearest) < 0.005 ? nearest : fraction(Math.round(rate * 1000), 1000)
}

const isUsual = (rate: number): boolean =>
  rate <= maxOutputRate && usualRates.some((usual) => Math.abs(framesPerSecond(usual) / rate - 1) < 0.0005)

const parseRatio = (text: unknown): number => {
  const match = /^(\d+)\/(\d+)$/.exec(String(text))
  return match ? Number(match[1]) / Number(match[2]) : NaN
}

const parseRate = (text: unknown): number | null => {
  const rate = parseRatio(text)
  return rate >= minRate && rate <= maxSourceRate ? rate : null
}

/** Whether pictures stand longer than the rate says, on the average; false where the file does not tell. */
export const isSparse = (average: unknown, frameRate: FrameRate): boolean =>
  parseRatio(average) < 0.99 * framesPerSecond(frameRate)

export type ReadFrameRate = { frameRate: FrameRate; isVariableFrameRate: boolean }

/**
 * From ffprobe's avg_frame_rate (counted) and r_frame_rate (the finest rate that hits all timestamps). The nominal rate wins while the average is
 * within 10 % below it, as with phones that drop frames in the dark, and further below where it is a usual one, as with recordings of a
 * screen on which little moves. Twice the average are fields; an unusual rate is that of a millisecond clock: then the average is the truth.
 */
export const readFrameRate = (average: unknown, nominal: unknown, isInterlaced: boolean): ReadFrameRate => {
  const averageRate = parseRate(average)
  const nominalRate = parseRate(nominal)
  if (averageRate === null) {
    const frameRate = nominalRate === null ? fallbackRate : tidyRate(nominalRate)
    return { frameRate, isVariableFrameRate: true }
  }
  if (nominalRate === null) return { frameRate: tidyRate(averageRate), isVariableFrameRate: true }
  const excess = nominalRate / averageRate
  const countsFields = Math.abs(excess - 2) < 0.02
  const isNominal = excess >= 1 && (excess <= 1.1 || (isUsual(nominalRate) && !countsFields))
  return {
    frameRate: tidyRate(isNominal ? nominalRate : averageRate),
    isVariableFrameRate: Math.abs(excess - 1) > 0.01 && !(isInterlaced && countsFields),
  }
}

/** At most 60: every second frame of 120 or 100, not an uneven choice of them. */
export const outputFrameRate = (source: FrameRate): FrameRate => {
  let { numerator, denominator } = source
  while (numerator / denominator > maxOutputRate) denominator *= 2
  return fraction(numerator, denominator)
}
