import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTexts } from '../shell/texts.ts'
import { csvOf, type CsvRow } from './csv-text.ts'

export const CsvButton = ({
  name,
  label,
  rows,
}: {
  /** File name without its extension. */
  readonly name: string
  /** What it contains, for screen readers. */
  readonly label: string
  /** The first row has the names of the columns. */
  readonly rows: readonly CsvRow[]
}) => {
  const t = useTexts('analytics.csv')
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="subtle"
      leftSection={<IconDownload size={16} aria-hidden />}
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(csvOf(rows))}`}
      download={`${name}.csv`}
      aria-label={t('downloadOf', { label })}
    >
      {t('download')}
    </Button>
  )
}
