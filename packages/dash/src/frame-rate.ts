import { ManifestError } from './manifest-error.ts'

// Half of the last digit of a rate with three decimals, such as 29.97 or 23.976.
const tolerance = 0.000_5

/**
 * ISO/IEC 23009-1 5.3.7.2: an integer or a fraction, never a decimal. 25 → `25`, 29.97 → `30000/1001`, 12.5 →
 * `25/2`.
 */
export function frameRateText(frameRate: number): string {
  if (!(frameRate > 0 && frameRate < 1e6))
    throw new ManifestError(`A frame rate must be above 0 and below 1,000,000, not ${frameRate}.`)
  const whole = Math.round(frameRate)
  if (whole > 0 && Math.abs(frameRate - whole) < tolerance) return String(whole)
  const ntsc = Math.round(frameRate * 1.001)
  if (ntsc > 0 && Math.abs(frameRate - (ntsc * 1000) / 1001) < tolerance) return `${ntsc * 1000}/1001`
  const thousandths = Math.max(1, Math.round(frameRate * 1000))
  const divisor = greatestCommonDivisor(thousandths, 1000)
  return `${thousandths / divisor}/${1000 / divisor}`
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
