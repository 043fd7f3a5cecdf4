import './notifications.css'
import { useTexts } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import { stackRequests } from './webhook/hour-series.ts'
import type { Health } from './webhook-queries.ts'

const step = 3
const barWidth = 2
const height = 24
/** A bar that is lower than this would look like none. */
const leastHeight = 2

/** The attempts of each hour, the present one at the right: successful ones below, failed ones above. */
export const AttemptSparkline = ({ attempts }: { readonly attempts: Health['Last48Hours'] }) => {
  const t = useTexts('notifications.attempts')
  const { DeliveredCount, FailedCount, DeliveredByHour, FailedByHour } = attempts
  const { delivered, all } = stackRequests(
    DeliveredByHour.map((count, place) => ({ DeliveredCount: count, FailedCount: FailedByHour[place] ?? 0 })),
  )
  const highest = Math.max(1, ...all)
  const heightOf = (count: number): number =>
    count === 0 ? 0 : Math.max(leastHeight, (height * count) / highest)
  return (
    <svg
      className="attempts"
      viewBox={`0 0 ${all.length * step - (step - barWidth)} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('drawn', { delivered: formatNumber(DeliveredCount), failed: formatNumber(FailedCount) })}
    >
      {all.map((count, place) => {
        const x = place * step
        const good = heightOf(delivered[place] ?? 0)
        const whole = Math.min(
          height,
          Math.max(heightOf(count), FailedByHour[place] === 0 ? 0 : good + leastHeight),
        )
        if (count === 0)
          return (
            <rect key={place} className="attempts-none" x={x} y={height - 1} width={barWidth} height={1} />
          )
        return (
          <g key={place}>
            <rect className="attempts-good" x={x} y={height - good} width={barWidth} height={good} />
            {FailedByHour[place] !== 0 && (
              <rect
                className="attempts-failed"
                x={x}
                y={height - whole}
                width={barWidth}
                height={whole - Math.min(good, whole - leastHeight)}
              />
            )}
          </g>
        )
      })}
    </svg>
  )
}
