import './quality.css'
import { Anchor, Skeleton } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { useMetric, type Filters } from '../analytics-queries.ts'
import { formatScore, scores, type Score } from '../metrics.ts'
import type { Period } from '../period.ts'

const gradeOf = (score: number | null) => {
  if (score === null) return { word: 'unknown', tone: 'neutral' } as const
  if (score >= 90) return { word: 'excellent', tone: 'ok' } as const
  if (score >= 75) return { word: 'good', tone: 'ok' } as const
  return score >= 50
    ? ({ word: 'fair', tone: 'warning' } as const)
    : ({ word: 'poor', tone: 'danger' } as const)
}

interface Place {
  readonly period: Period
  readonly filters: Filters
}

const ScoreCell = ({ score, period, filters }: Place & { readonly score: Score }) => {
  const t = useTexts('analytics.quality')
  const names = useTexts('analytics.metrics')
  const explained = useTexts('analytics.definitions')
  const { now, before, range } = useMetric(score, period, filters)
  const value = now?.Total ?? null
  const { word, tone } = gradeOf(value)
  return (
    <div className="score">
      <dt>{names(score)}</dt>
      <dd>
        <span className="score-line">
          {now === undefined ? (
            <Skeleton height={18} width={96} my={5} />
          ) : (
            <>
              <span className="score-word" data-tone={tone}>
                {t(word)}
              </span>
              {value !== null && <span>{t('outOf', { score: formatScore(value) })}</span>}
            </>
          )}
        </span>
        <span className="score-bar" aria-hidden>
          <span data-tone={tone} style={{ width: `${value ?? 0}%` }} />
        </span>
        <span className="score-text">{explained(score)}</span>
        {range.before !== null && (
          <span className="score-text">
            {before?.Total == null ? '\u00a0' : t('before', { score: formatScore(before.Total) })}
          </span>
        )}
      </dd>
    </div>
  )
}

/** The scores, in words first. */
export const ScoreSection = (place: Place) => {
  const t = useTexts('analytics.quality')
  const { now, error, retry } = useMetric('viewerexperiencescore', place.period, place.filters)
  return (
    <Section
      title={t('scores')}
      description={t('explained')}
      actions={
        <Anchor href="/docs/analytics#scores" target="_blank" rel="noopener" size="sm">
          {t('formula')}
        </Anchor>
      }
    >
      {error !== null && now === undefined ? (
        <ProblemAlert error={error} onRetry={retry} />
      ) : (
        <dl className="scores" aria-label={t('scores')}>
          {scores.map((score) => (
            <ScoreCell key={score} score={score} {...place} />
          ))}
        </dl>
      )}
    </Section>
  )
}
