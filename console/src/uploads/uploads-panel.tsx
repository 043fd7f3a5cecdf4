import './uploads-panel.css'
import { ActionIcon, Button, Group, Paper, Progress, Text, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { formatDuration, formatNumber } from '../ui/format.ts'
import { totalsOf, useUploads, wouldLose, type Upload } from './upload-list.ts'
import { clearDone, pauseUpload, restoreUploads, resumeUpload } from './upload-queue.ts'
import { UploadRow } from './upload-row.tsx'
import { useFolding } from './use-folding.ts'

/** A folder may contain thousands of files. */
const maxShown = 50

const order = ['refused', 'failed', 'orphaned', 'sending', 'paused', 'waiting', 'done'] as const

const shownOf = (uploads: readonly Upload[]): readonly Upload[] =>
  uploads.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state)).slice(0, maxShown)

/** Otherwise the browser would open a file dropped elsewhere in place of the console. */
const keepPage = (event: DragEvent): void => {
  if (event.dataTransfer?.types.includes('Files') !== true) return
  event.preventDefault()
  // The pointer shows where a drop has no effect.
  if (document.querySelector('.drop-zone') === null) event.dataTransfer.dropEffect = 'none'
}

const warn = (event: BeforeUnloadEvent): void => {
  if (wouldLose()) event.preventDefault()
}

/** Stays mounted across screens. */
export const UploadsPanel = () => {
  const t = useTexts('uploads.panel')
  const { User } = useSession()
  const uploads = useUploads()
  const panel = useRef<HTMLElement>(null)
  const shown = shownOf(uploads)
  const { isOpen, setIsOpen } = useFolding(shown, panel)
  useEffect(() => restoreUploads(User.Id), [User.Id])
  useEffect(() => {
    addEventListener('dragover', keepPage)
    addEventListener('drop', keepPage)
    addEventListener('beforeunload', warn)
    return () => {
      removeEventListener('dragover', keepPage)
      removeEventListener('drop', keepPage)
      removeEventListener('beforeunload', warn)
    }
  }, [])
  if (uploads.length === 0) return null
  const { count, doneCount, percent, isBusy, secondsLeft } = totalsOf(uploads)
  const paused = uploads.filter(({ state }) => state === 'paused')
  const running = uploads.filter(({ state }) => state === 'sending' || state === 'waiting')
  const said =
    count === 0 ? t('none') : t('done', { done: formatNumber(doneCount), all: formatNumber(count) })
  const refusedCount = uploads.length - count
  const foldLabel = isOpen ? t('hide') : t('show')
  return (
    <>
      {/* Keeps the end of a page reachable below the folded panel. */}
      <div className="uploads-panel-room" />
      <Paper
        ref={panel}
        component="section"
        aria-label={t('title')}
        className="uploads-panel"
        withBorder
        shadow="lg"
      >
        <Group justify="space-between" wrap="nowrap" p="xs" gap="xs">
          <div>
            <Text fw={600} size="sm">
              {said}
            </Text>
            <Text size="xs" c="dimmed">
              {percent} %{secondsLeft !== null && ` · ${t('left', { time: formatDuration(secondsLeft) })}`}
            </Text>
          </div>
          <VisuallyHidden role="status">{said}</VisuallyHidden>
          <Group gap={4} wrap="nowrap">
            <Tooltip label={foldLabel}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={foldLabel}
                aria-expanded={isOpen}
                onClick={() => setIsOpen(!isOpen)}
              >
                {isOpen ? <IconChevronDown size={18} aria-hidden /> : <IconChevronUp size={18} aria-hidden />}
              </ActionIcon>
            </Tooltip>
            {doneCount === count && (
              <Tooltip label={t('close')}>
                <ActionIcon variant="subtle" color="gray" aria-label={t('close')} onClick={clearDone}>
                  <IconX size={18} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        </Group>
        <Progress value={percent} size={4} radius={0} animated={isBusy} aria-label={t('progress')} />
        {isOpen && (
          <>
            <ul className="uploads-panel-list">
              {shown.map((upload) => (
                <UploadRow key={upload.id} upload={upload} />
              ))}
            </ul>
            <Group p="xs" gap="xs">
              {uploads.length > shown.length && (
                <Text size="xs">{t('more', { count: uploads.length - shown.length })}</Text>
              )}
              {running.length > 1 && (
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => running.forEach(({ id }) => pauseUpload(id))}
                >
                  {t('pauseAll')}
                </Button>
              )}
              {paused.length > 1 && (
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => paused.forEach(({ id }) => void resumeUpload(id))}
                >
                  {t('resumeAll')}
                </Button>
              )}
              {doneCount + refusedCount > 0 && doneCount < count && (
                <Button size="compact-xs" variant="default" onClick={clearDone}>
                  {t('clear')}
                </Button>
              )}
            </Group>
          </>
        )}
      </Paper>
    </>
  )
}
