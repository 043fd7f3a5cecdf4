import { ActionIcon, Group, TextInput } from '@mantine/core'
import { IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTexts } from '../../shell/texts.ts'
import type { PlayerLink } from '../player-link.ts'
import { parseClock } from '../clock.ts'
import { maxTitleLength, type ChapterRow, type RowIssues } from './chapter-rows.ts'

interface Field {
  readonly row: ChapterRow
  readonly number: number
  readonly issues: RowIssues
  readonly length: string
  /** Errors are shown after the first attempt to save. */
  readonly areIssuesShown: boolean
  readonly isNew: boolean
  readonly link: PlayerLink
  readonly onChange: (row: ChapterRow) => void
  readonly onTimed: () => void
  readonly onRemove: () => void
}

export const ChapterFields = (field: Field) => {
  const { row, number, issues, length, areIssuesShown, isNew, link, onChange, onTimed, onRemove } = field
  const t = useTexts('file.chapters')
  const title = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isNew) title.current?.focus()
  }, [isNew])
  const seconds = parseClock(row.time)
  const timeIssue = issues.time !== null && (areIssuesShown || issues.time !== 'noTime') ? issues.time : null
  return (
    <li className="chapter">
      <Group
        role="group"
        aria-label={t('row', { number })}
        gap="xs"
        align="flex-start"
        wrap="nowrap"
        className="chapter-fields"
      >
        <TextInput
          aria-label={t('time')}
          className="chapter-time"
          value={row.time}
          maxLength={20}
          error={timeIssue === null ? null : t(timeIssue, { length })}
          onChange={(event) => onChange({ ...row, time: event.currentTarget.value })}
          onBlur={onTimed}
        />
        <TextInput
          aria-label={t('name')}
          className="chapter-title"
          value={row.title}
          maxLength={maxTitleLength}
          error={areIssuesShown && issues.title !== null ? t(issues.title) : null}
          ref={title}
          onChange={(event) => onChange({ ...row, title: event.currentTarget.value })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('show', { number })}
          disabled={seconds === null}
          onClick={() => seconds !== null && link.seek(seconds)}
        >
          <IconPlayerPlay size={18} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t('remove', { number })}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  )
}
