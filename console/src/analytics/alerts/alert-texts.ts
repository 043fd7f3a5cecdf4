import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { formatMetric } from '../metrics.ts'
import type { Alert } from './alert-queries.ts'

export type AlertMetric = Alert['Metric']

export const alertMetrics = [
  ...(['rebuffering', 'startuptime', 'failures', 'errors'] as const),
  ...(['livelatency', 'views', 'watchtime', 'concurrentviewers'] as const),
] satisfies readonly AlertMetric[]

const formatValue = (metric: AlertMetric, value: number): string => {
  if (metric === 'livelatency') return formatMetric('startuptime', value)
  return metric === 'concurrentviewers' ? formatNumber(value) : formatMetric(metric, value)
}

/** Units of the form: it shows a value of the API multiplied by `factor`, with `suffix`. */
export const inputUnits: Readonly<Record<AlertMetric, { readonly factor: number; readonly suffix: string }>> =
  {
    rebuffering: { factor: 100, suffix: ' %' },
    startuptime: { factor: 0.001, suffix: ' s' },
    livelatency: { factor: 0.001, suffix: ' s' },
    watchtime: { factor: 1 / 60, suffix: ' min' },
    ...{ failures: { factor: 1, suffix: '' }, errors: { factor: 1, suffix: '' } },
    ...{ views: { factor: 1, suffix: '' }, concurrentviewers: { factor: 1, suffix: '' } },
  }

/** The condition of an alert, its name and its state in words. */
export const useAlertTexts = () => {
  const t = useTexts('analytics.alerts')
  const names = useTexts('analytics.metrics')
  const conditionOf = ({ Metric, Operator, Threshold, WindowMinutes, MinimumViewers }: Alert): string =>
    [
      t(Operator, { metric: names(Metric), value: formatValue(Metric, Threshold) }),
      t('window', { count: WindowMinutes }),
      ...(MinimumViewers === 0 ? [] : [t('withViewers', { viewers: formatNumber(MinimumViewers) })]),
    ].join(', ')
  return {
    conditionOf,
    nameOf: (alert: Alert): string => alert.Label || names(alert.Metric),
    stateOf: ({ State, IsEnabled }: Alert): string => (IsEnabled ? t(State) : t('off')),
  }
}
