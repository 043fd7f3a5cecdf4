const [width, height] = [100, 28]

/** Path of an SVG. A value that was not measured is a gap. */
const pathOf = (values: readonly (number | null)[]): string => {
  const highest = Math.max(0, ...values.map((value) => value ?? 0))
  const step = width / Math.max(1, values.length - 1)
  return values
    .map((value, place) => {
      if (value === null) return ''
      const command = values[place - 1] == null ? 'M' : 'L'
      const y = height - 1 - (highest === 0 ? 0 : ((height - 2) * value) / highest)
      return `${command}${(place * step).toFixed(1)} ${y.toFixed(1)}`
    })
    .join('')
}

/** The course of a metric, without a scale. */
export const Sparkline = ({ values }: { readonly values: readonly (number | null)[] }) => (
  <svg className="metric-spark" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
    <path d={pathOf(values)} />
  </svg>
)
