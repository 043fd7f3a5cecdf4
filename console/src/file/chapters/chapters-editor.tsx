import { StaleRecordError, type MediaFile } from '@zoetrope/sdk'
import { Button, Group, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconPlus } from '@tabler/icons-react'
import { useEffect, useRef, useState, useSyncExternalStore, type Ref, type SubmitEvent } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { fieldErrors } from '../../ui/forms/field-errors.ts'
import { ConflictDialog } from '../../ui/forms/record/conflict-dialog.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { TextDifference } from '../captions/text-difference.tsx'
import { clockText } from '../clock.ts'
import { LanguageInput } from '../language-input.tsx'
import { languageName } from '../languages.ts'
import type { PlayerLink } from '../player-link.ts'
import { ChapterFields } from './chapter-fields.tsx'
import { addedRow, issuesOf, maxChapters, sortedRows, timeText, type ChapterRow } from './chapter-rows.ts'
import './chapters.css'
import { isDraftDirty, type ChaptersDraft } from './chapters-draft.ts'
import { useSaveChapters } from './use-save-chapters.ts'

/** Shows the current time of the player, which advances during playback. */
const AddButton = ({
  link,
  isFull,
  buttonRef,
  onAdd,
}: {
  readonly link: PlayerLink
  readonly isFull: boolean
  readonly buttonRef: Ref<HTMLButtonElement>
  readonly onAdd: () => void
}) => {
  const t = useTexts('file.chapters')
  const seconds = useSyncExternalStore(link.subscribe, link.lastPosition)
  return (
    <Button
      ref={buttonRef}
      variant="default"
      leftSection={<IconPlus size={18} aria-hidden />}
      disabled={isFull}
      onClick={onAdd}
    >
      {isFull ? t('full', { count: maxChapters }) : t('add', { time: clockText(seconds) })}
    </Button>
  )
}

export const ChaptersEditor = ({
  file,
  draft,
  link,
  onChange,
}: {
  readonly file: MediaFile
  readonly draft: ChaptersDraft
  readonly link: PlayerLink
  /** Receives the current draft, because a position or response may arrive late. */
  readonly onChange: (change: (now: ChaptersDraft | null) => ChaptersDraft | null) => void
}) => {
  const t = useTexts('file.chapters')
  const [newId, setNewId] = useState<number | null>(null)
  const [wasTried, setWasTried] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const addButton = useRef<HTMLButtonElement>(null)
  // The button that opened the editor is disabled, so the focus would be lost. A tab that shows it again keeps it.
  useEffect(() => {
    const { activeElement } = document
    if (activeElement === document.body || activeElement?.matches(':disabled') === true)
      addButton.current?.focus({ preventScroll: true })
  }, [])
  const change = (part: Partial<ChaptersDraft>): void => onChange((now) => now && { ...now, ...part })
  const changeRows = (changed: (rows: readonly ChapterRow[]) => readonly ChapterRow[]): void =>
    onChange((now) => now && { ...now, rows: changed(now.rows) })

  const { record, language, rows } = draft
  const lengthSeconds = file.Properties?.Length ?? null
  const length = lengthSeconds === null ? '' : timeText(Math.floor(lengthSeconds * 1_000))
  const issues = issuesOf(rows, lengthSeconds)
  const isTaken =
    record === null &&
    file.Captions.some(
      (one) => one.Kind === 'chapters' && one.Language.toLowerCase() === language.trim().toLowerCase(),
    )
  const languageIssue = language.trim() === '' ? t('noLanguage') : isTaken ? t('taken') : null
  const isRight =
    rows.length > 0 &&
    languageIssue === null &&
    issues.every(({ time, title }) => time === null && title === null)
  const isDirty = isDraftDirty(draft)

  const { save, conflict, isSaving, error } = useSaveChapters({
    ...{ file, draft, onChange },
    onSaved: () => {
      setWasTried(false)
      notifications.show({ message: t('saved') })
    },
  })
  const textOf = (value: unknown): string =>
    (value as readonly ChapterRow[]).map((row) => `${row.time} ${row.title}`).join('\n')

  const add = async (): Promise<void> => {
    const seconds = await link.position()
    const row = addedRow(seconds)
    setNewId(row.id)
    setAnnouncement(t('added', { time: row.time }))
    changeRows((now) => sortedRows([...now, row]))
  }
  const trySave = (): void => {
    if (!isDirty || isSaving) return
    setWasTried(true)
    if (isRight) save()
  }
  useHotkeys([['mod+S', trySave]], [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    trySave()
  }
  const errors = fieldErrors(error)
  return (
    <Section title={record === null ? t('title') : t('titleOf', { language: languageName(record.Language) })}>
      <ConflictDialog
        form={conflict}
        labelOf={() => t('title')}
        renderValue={(_name, value) => (
          <TextDifference
            text={textOf(value)}
            other={textOf(value === rows ? conflict.fields['chapters'] : rows)}
          />
        )}
      />
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">{t('advice')}</Text>
          {record === null && (
            <LanguageInput
              label={t('language')}
              maw={240}
              value={language}
              maxLength={100}
              error={errors['Language'] ?? (wasTried || isTaken ? languageIssue : null)}
              onChange={(chosen) => change({ language: chosen })}
            />
          )}
          {rows.length === 0 ? (
            <Text size="sm">{t('none')}</Text>
          ) : (
            <div>
              <Group gap="xs" aria-hidden mb={4}>
                <Text size="sm" fw={600} className="chapter-time">
                  {t('time')}
                </Text>
                <Text size="sm" fw={600}>
                  {t('name')}
                </Text>
              </Group>
              <ol className="chapters" aria-label={t('rows')}>
                {rows.map((row, index) => (
                  <ChapterFields
                    key={row.id}
                    row={row}
                    number={index + 1}
                    issues={issues[index] ?? { time: null, title: null }}
                    length={length}
                    areIssuesShown={wasTried}
                    isNew={row.id === newId}
                    link={link}
                    onChange={(changed) =>
                      changeRows((now) => now.map((one) => (one.id === row.id ? changed : one)))
                    }
                    onTimed={() => changeRows(sortedRows)}
                    onRemove={() => {
                      changeRows((now) => now.filter(({ id }) => id !== row.id))
                      addButton.current?.focus()
                    }}
                  />
                ))}
              </ol>
            </div>
          )}
          <VisuallyHidden role="status">{announcement}</VisuallyHidden>
          {!(error instanceof StaleRecordError) && <ProblemAlert error={error} />}
          <Group justify="space-between">
            <AddButton
              link={link}
              isFull={rows.length >= maxChapters}
              buttonRef={addButton}
              onAdd={() => void add()}
            />
            <Group gap="xs">
              <Button variant="default" disabled={isSaving} onClick={() => onChange(() => null)}>
                {isDirty ? t('discard') : t('close')}
              </Button>
              <Button type="submit" loading={isSaving} disabled={!isDirty || rows.length === 0}>
                {t('save')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
