import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allProjects } from '../../projects/all-projects.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { Section } from '../../ui/section.tsx'
import { storageQuery } from './overview-queries.ts'

const [width, height] = [240, 48]

/** A line over the days with the area below it. */
const trendOf = (values: readonly number[]): { readonly line: string; readonly area: string } => {
  const top = Math.max(1, ...values)
  const points = values.map((value, place) => {
    const x = (width * place) / Math.max(1, values.length - 1)
    return `${x.toFixed(1)} ${(height - 2 - ((height - 6) * value) / top).toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  return { line, area: `${line}L${width} ${height}L0 ${height}Z` }
}

export const StorageCard = () => {
  const t = useTexts('start.overview')
  const { data: projects = [] } = useQuery(allProjects)
  const { data: usage } = useQuery(storageQuery)
  const files = projects.reduce((sum, { FileCount }) => sum + FileCount, 0)
  const bytes = projects.reduce((sum, { StorageBytes }) => sum + StorageBytes, 0)
  const history = usage?.Days.map(({ StorageBytes }) => StorageBytes) ?? []
  const { line, area } = trendOf(history)
  return (
    <Section
      title={t('storage')}
      actions={
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/usage" />}>
          {t('usage')}
        </Anchor>
      }
    >
      <div>
        <div className="overview-figure">{formatBytes(bytes)}</div>
        <Text size="sm" c="dimmed">
          {t('inFiles', { count: files, files: formatNumber(files) })}
        </Text>
      </div>
      {history.length > 1 && (
        <svg
          className="overview-trend"
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          aria-hidden
        >
          <path d={area} stroke="none" />
          <path d={line} fill="none" vectorEffect="non-scaling-stroke" />
        </svg>
      )}
    </Section>
  )
}
