import { Accordion, Table, Text } from '@mantine/core'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { formatBytes, formatNumber } from '../ui/format.ts'
import { Section } from '../ui/section.tsx'
import { WideTable } from '../ui/lists/wide-table.tsx'
import { kinds } from './kinds.ts'
import { StorageChart } from './storage-chart.tsx'
import type { Usage } from './usage.ts'

/** Formats a UTC day, independent of the time zone of the user. */
const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

export const StorageHistory = ({ days }: { readonly days: Usage['Days'] }) => {
  const t = useTexts('usage.screen')
  return (
    <Section title={t('history')}>
      <Text size="sm" c="dimmed">
        {t('historyExplained')}
      </Text>
      {days.length < 2 ? <Text>{t('oneDay')}</Text> : <StorageChart days={days} />}
      <Accordion variant="contained">
        <Accordion.Item value="table">
          <Accordion.Control>{t('table')}</Accordion.Control>
          <Accordion.Panel>
            <WideTable
              label={t('history')}
              heads={[
                t('day'),
                t('storage'),
                ...kinds.map(({ name }) => t(name)),
                t('videos'),
                t('playable'),
              ]}
              minWidth={860}
            >
              {days.toReversed().map((day) => (
                <Table.Tr key={day.Day}>
                  <Table.Td>{formatDay(day.Day)}</Table.Td>
                  <Table.Td>{formatBytes(day.StorageBytes)}</Table.Td>
                  {kinds.map(({ name, field }) => (
                    <Table.Td key={name}>{formatBytes(day[field])}</Table.Td>
                  ))}
                  <Table.Td>{formatNumber(day.FileCount)}</Table.Td>
                  <Table.Td>
                    {t('minutes', { shown: formatNumber(Math.round(day.PlayableSeconds / 60)) })}
                  </Table.Td>
                </Table.Tr>
              ))}
            </WideTable>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Section>
  )
}
