import { Badge, Group, Select, Table, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { messageText } from '../shell/reason-text.ts'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { OlderButton, olderPages } from '../ui/lists/older-pages.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { WideTable } from '../ui/lists/wide-table.tsx'
import { warningCodes } from './warning-codes.ts'

const pageSize = 100
const levels = ['info', 'warning', 'error'] as const
const colors = { info: 'gray', warning: 'yellow', error: 'red' } as const

const exactTime = (instant: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(instant),
  )

type LogEntry = Awaited<ReturnType<typeof zoetrope.live.log>>['LogEntries'][number]

/** The text in the language of the user; null = only the English message is known. */
const useLogText = (): ((entry: LogEntry) => string | null) => {
  const healthWords = useTexts('live.health')
  return ({ Code, Reason, Params, Message }) => {
    if (Reason !== null) return messageText(Message, Reason, Params)
    const warning = warningCodes.find((code) => code === Code)
    return warning === undefined || currentLanguage() === 'en' ? null : healthWords(warning)
  }
}

/** The API pages the log but does not filter it, so the filter covers loaded entries only. */
export const LogPart = ({ projectId }: { readonly projectId: number }) => {
  const t = useTexts('live.log')
  const [level, setLevel] = useState<string | null>(null)
  const [text, setText] = useState('')
  const list = useInfiniteQuery({
    ...olderPages([...queryKeys.live(projectId), 'log'], pageSize, async (query, options) =>
      zoetrope.live.log(projectId, query, options),
    ),
    // Events report refusals at most once a minute.
    refetchInterval: 10_000,
  })
  const { data, error, refetch } = list
  const entries = data?.pages.flatMap(({ LogEntries }) => LogEntries) ?? []
  const textOf = useLogText()
  const wanted = text.trim().toLowerCase()
  const shown = entries.filter(
    (entry) =>
      (level === null || entry.Level === level) &&
      `${entry.Code} ${entry.Message} ${textOf(entry) ?? ''}`.toLowerCase().includes(wanted),
  )
  return (
    <Section title={t('title')}>
      <Text size="sm" c="dimmed">
        {t('explained')}
      </Text>
      <Group align="end">
        <Select
          label={t('level')}
          clearable
          placeholder={t('all')}
          value={level}
          data={levels.map((value) => ({ value, label: t(value) }))}
          onChange={setLevel}
        />
        <TextInput
          type="search"
          label={t('contains')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Group>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && shown.length === 0 && (
        <Text>{t(entries.length === 0 ? 'none' : 'noneFound')}</Text>
      )}
      {shown.length > 0 && (
        <WideTable label={t('title')} heads={[t('at'), t('level'), t('message')]} minWidth={520}>
          {shown.map((entry) => (
            <Table.Tr key={entry.Id}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{exactTime(entry.OccurredAt)}</Table.Td>
              <Table.Td>
                <Badge variant="dot" color={colors[entry.Level]} miw="max-content">
                  {t(entry.Level)}
                </Badge>
              </Table.Td>
              <Table.Td>
                <Text size="sm" {...(textOf(entry) === null && { lang: 'en' })}>
                  {textOf(entry) ?? entry.Message}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </WideTable>
      )}
      <OlderButton list={list} />
    </Section>
  )
}
