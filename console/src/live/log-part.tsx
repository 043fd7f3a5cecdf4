import { Select, Text, TextInput } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { messageText } from '../shell/reason-text.ts'
import { currentLanguage, useTexts, type Translate } from '../shell/texts.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import { FilterRow } from '../ui/lists/filter-row.tsx'
import type { TableColumn } from '../ui/lists/table-columns.tsx'
import { OlderButton, olderPages } from '../ui/lists/older-pages.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { StatusBadge } from '../ui/status-badge.tsx'
import { warningCodes } from './warning-codes.ts'

const pageSize = 100
const levels = ['info', 'warning', 'error'] as const
const tones = { info: 'neutral', warning: 'warning', error: 'danger' } as const

const exactTime = (instant: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(instant),
  )

type LogEntry = Awaited<ReturnType<typeof zoetrope.live.log>>['LogEntries'][number]

/** The text in the language of the user; null = only the English message is known. */
const useLogText = (): ((entry: LogEntry) => string | null) => {
  const t = useTexts('live.verdict')
  return ({ Code, Reason, Params, Message }) => {
    if (Reason !== null) return messageText(Message, Reason, Params)
    const warning = warningCodes.find((code) => code === Code)
    return warning === undefined || currentLanguage() === 'en' ? null : `${t(warning)} ${t(`${warning}_do`)}`
  }
}

const columnsOf = (
  t: Translate<'live.log'>,
  textOf: (entry: LogEntry) => string | null,
): TableColumn<LogEntry>[] => [
  {
    ...{ key: 'message', header: t('message'), wraps: true },
    cell: (entry) => (
      <span {...(textOf(entry) === null && { lang: 'en' })}>{textOf(entry) ?? entry.Message}</span>
    ),
  },
  {
    ...{ key: 'level', header: t('level'), width: 130 },
    cell: ({ Level }) => <StatusBadge tone={tones[Level]}>{t(Level)}</StatusBadge>,
  },
  { key: 'at', header: t('at'), width: 180, cell: ({ OccurredAt }) => exactTime(OccurredAt) },
]

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
      <FilterRow>
        <Select
          aria-label={t('level')}
          placeholder={t('level')}
          w={190}
          clearable
          value={level}
          data={levels.map((value) => ({ value, label: t(value) }))}
          onChange={setLevel}
        />
        <TextInput
          type="search"
          aria-label={t('contains')}
          placeholder={t('contains')}
          w={240}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </FilterRow>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {data !== undefined && shown.length === 0 && (
        <Text>{t(entries.length === 0 ? 'none' : 'noneFound')}</Text>
      )}
      {shown.length > 0 && (
        <DataTable<LogEntry>
          id="live-log"
          label={t('title')}
          rows={shown}
          keyOf={({ Id }) => Id}
          columns={columnsOf(t, textOf)}
        />
      )}
      <OlderButton list={list} />
    </Section>
  )
}
