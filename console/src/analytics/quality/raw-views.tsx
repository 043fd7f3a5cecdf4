import { Button, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'
import { Section } from '../../ui/section.tsx'
import { useRange, type Filters } from '../analytics-queries.ts'
import type { Period } from '../period.ts'

const formats = ['csv', 'ndjson'] as const

/** Downloads the views of the period. The browser writes the export to disk as it arrives. */
export const RawViews = ({ period, filters }: { readonly period: Period; readonly filters: Filters }) => {
  const t = useTexts('analytics.quality')
  const { from, to } = useRange(period, true)
  const addressOf = (format: string): string =>
    `/v3/analytics/sessions/export?${new URLSearchParams({ format, from, to, ...filters }).toString()}`
  return (
    <Section title={t('raw')} description={t('rawExplained')}>
      <Group gap="xs">
        {formats.map((format) => (
          <Button
            key={format}
            component="a"
            size="sm"
            variant="default"
            leftSection={<IconDownload size={16} aria-hidden />}
            href={addressOf(format)}
            download={`views-${period}.${format}`}
          >
            {t(format)}
          </Button>
        ))}
      </Group>
    </Section>
  )
}
