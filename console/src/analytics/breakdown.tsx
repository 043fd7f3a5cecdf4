import { Anchor, Text } from '@mantine/core'
import { useQueries, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { titleOf } from '../library/file-title.tsx'
import { allProjects } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import {
  breakdownQuery,
  isMeasured,
  useFiles,
  useRange,
  type Filters,
  type Grouping,
} from './analytics-queries.ts'
import { CsvButton } from './csv-button.tsx'
import { filterIn, useDimensionNames, useValueNames, type Dimension } from './dimensions/dimensions.ts'
import { formatMetric, type Metric } from './metrics.ts'
import type { Period } from './period.ts'

const limit = 10

interface Row {
  readonly key: string
  readonly name: string
  readonly value: number | null
}

interface Asked {
  readonly metric: Metric
  readonly groupBy: Grouping
  readonly period: Period
  readonly filters: Filters
}

/** Names of keys: titles of files, names of projects, values of dimensions. */
const useNames = (groupBy: Grouping, keys: readonly string[]) => {
  const t = useTexts('analytics.breakdown')
  const valueName = useValueNames()
  const { files, isPending } = useFiles(groupBy === 'file' ? keys : [])
  const { data: projects = [] } = useQuery(allProjects)
  const nameOf = (key: string): string => {
    if (groupBy !== 'project' && groupBy !== 'file') return valueName(groupBy, key)
    if (groupBy === 'project') return projects.find(({ Id }) => String(Id) === key)?.Name ?? key
    const file = files.find(({ Id }) => String(Id) === key)
    return file === undefined ? t('fileNumber', { id: key }) : titleOf(file)
  }
  return { nameOf, isPending }
}

const barOf = (value: number | null, largest: number): ReactNode => (
  <span className="breakdown-bar" aria-hidden>
    <span style={{ width: `${(100 * (value ?? 0)) / (largest || 1)}%` }} />
  </span>
)

export interface BreakdownValues {
  readonly groupBy: Grouping
  readonly period: Period
  readonly metric: Metric
  readonly rows: readonly Row[]
  readonly isPending: boolean
  readonly error: unknown
  readonly retry: () => void
}

/** The largest values of a metric by project or file. */
export const useBreakdown = ({ metric: wanted, groupBy, period, filters }: Asked): BreakdownValues => {
  const metric = isMeasured(wanted, filters) ? wanted : 'views'
  const hasHours = groupBy === 'project' && metric !== 'uniqueviewers' && filterIn(filters) === null
  const range = useRange(period, hasHours)
  const { data, error, isPending, refetch } = useQuery(breakdownQuery(metric, groupBy, range, filters, limit))
  const measured = (data?.Buckets ?? []).filter(({ Value }) => Value !== null && Value > 0)
  const { nameOf, isPending: isNaming } = useNames(
    groupBy,
    measured.map(({ Key }) => Key ?? ''),
  )
  return {
    ...{ groupBy, period, error, metric: data?.metric ?? metric, isPending: isPending || isNaming },
    rows: measured.map(({ Key, Value }) => ({ key: Key ?? '', name: nameOf(Key ?? ''), value: Value })),
    retry: () => void refetch(),
  }
}

/** The largest values of a metric by several dimensions. */
export const useBreakdowns = ({
  metric: wanted,
  groupings,
  period,
  filters,
}: Omit<Asked, 'groupBy'> & { readonly groupings: readonly Dimension[] }): {
  readonly lists: readonly BreakdownValues[]
  readonly isPending: boolean
  /** False if the server collects no views. */
  readonly isCollecting: boolean
} => {
  // Viewers are counted by project and file alone.
  const metric = wanted === 'uniqueviewers' ? 'views' : wanted
  const range = useRange(period, false)
  const valueName = useValueNames()
  const answers = useQueries({
    queries: groupings.map((groupBy) => breakdownQuery(metric, groupBy, range, filters, limit)),
  })
  return {
    isPending: answers.some(({ isPending }) => isPending),
    isCollecting: answers.every(({ data }) => data?.IsCollecting ?? true),
    lists: groupings.map((groupBy, place) => {
      const { data, error = null, isPending = true, refetch } = answers[place] ?? {}
      const measured = (data?.Buckets ?? []).filter(({ Value }) => Value !== null && Value > 0)
      return {
        ...{ groupBy, period, error, metric: data?.metric ?? metric, isPending },
        rows: measured.map(({ Key, Value }) => ({
          key: Key ?? '',
          name: valueName(groupBy, Key ?? ''),
          value: Value,
        })),
        retry: () => void refetch?.(),
      }
    }),
  }
}

/** A click on a name filters the screen. */
export const Breakdown = ({
  values: { metric, groupBy, period, rows, error, retry },
  onPick,
}: {
  readonly values: BreakdownValues
  readonly onPick?: (key: string) => void
}) => {
  const t = useTexts('analytics.breakdown')
  const names = useTexts('analytics.metrics')
  const largest = Math.max(0, ...rows.map(({ value }) => value ?? 0))
  const namesOf = useDimensionNames()
  const isDimension = groupBy !== 'project' && groupBy !== 'file'
  const title = isDimension ? namesOf(groupBy).all : t(groupBy)
  const header = isDimension ? namesOf(groupBy).one : t(`${groupBy}Name`)
  const nameCell = ({ key, name }: Row): ReactNode =>
    // `other` stands for several values, so it cannot be a filter.
    onPick === undefined || (isDimension && key === 'other') ? (
      name
    ) : (
      <Anchor
        component="button"
        type="button"
        className="breakdown-name"
        size="sm"
        display="block"
        maw="100%"
        truncate
        title={name}
        onClick={() => onPick(key)}
      >
        {name}
      </Anchor>
    )
  return (
    <Section
      title={title}
      actions={
        rows.length > 0 && (
          <CsvButton
            name={`${metric}-${groupBy}-${period}`}
            label={title}
            rows={[[groupBy, 'name', metric], ...rows.map(({ key, name, value }) => [key, name, value])]}
          />
        )
      }
    >
      <ProblemAlert error={error} onRetry={retry} />
      {error === null && rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('none')}
        </Text>
      )}
      {rows.length > 0 && (
        <div className="breakdown">
          <DataTable
            id={`analytics-${groupBy}`}
            label={title}
            rows={rows}
            keyOf={({ key }) => key}
            columns={[
              { key: 'name', header, cell: nameCell },
              {
                ...{ key: 'value', header: names(metric), align: 'end', width: 130 },
                cell: ({ value }) => formatMetric(metric, value),
              },
              {
                ...{ key: 'bar', header: t('bar'), isHeaderHidden: true, width: 100 },
                cell: ({ value }) => barOf(value, largest),
              },
            ]}
          />
        </div>
      )}
    </Section>
  )
}
