/** Two-sided 95 % quantiles of Student's t distribution for 1, 2, 3 … degrees of freedom. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
  2.12, 2.11, 2.101, 2.093,
]
const manyDegrees = 1.96

export interface Confidence {
  readonly ratio: number
  /** The ratio is between these two with 95 % probability. */
  readonly low: number
  readonly high: number
}

/**
 * Geometric mean of the ratios of pairs with its 95 % confidence interval. It assumes that the logarithms are normally
 * distributed. Throws for less than two pairs.
 */
export const confidenceOf = (ratios: readonly number[]): Confidence => {
  if (ratios.length < 2) throw new Error('A confidence interval needs at least two pairs.')
  const logarithms = ratios.map(Math.log)
  const mean = logarithms.reduce((sum, one) => sum + one, 0) / logarithms.length
  const degrees = logarithms.length - 1
  const variance = logarithms.reduce((sum, one) => sum + (one - mean) ** 2, 0) / degrees
  const half = (quantiles[degrees - 1] ?? manyDegrees) * Math.sqrt(variance / logarithms.length)
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) }
}
