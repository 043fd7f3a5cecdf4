import './library.css'
import { Group, Progress, Text } from '@mantine/core'
import type { MediaFile } from '@zoetrope/sdk'
import { faultText } from '../file/file-fault.ts'
import { useTexts } from '../shell/texts.ts'
import { StatusBadge, type Tone } from '../ui/status-badge.tsx'
import { useSentPercent } from '../uploads/upload-list.ts'

export const fileStates = [
  'created',
  'uploaded',
  'encoding',
  'playable',
  'finished',
  'degraded',
  'failed',
] as const

const tones: Readonly<Record<(typeof fileStates)[number], Tone>> = {
  created: 'neutral',
  uploaded: 'neutral',
  encoding: 'busy',
  playable: 'busy',
  finished: 'ok',
  degraded: 'warning',
  failed: 'danger',
}

/** Whether a worker processes the file. No event reports each percent, so the list polls. */
export const isInWork = ({ Status, IsEnabled }: MediaFile): boolean =>
  IsEnabled && (Status === 'uploaded' || Status === 'encoding' || Status === 'playable')

export const FileStatus = ({ file, name }: { readonly file: MediaFile; readonly name: string }) => {
  const t = useTexts('library.fileStatus')
  const sent = useSentPercent(file.Id)
  if (!file.IsEnabled) return <StatusBadge tone="neutral">{t('deleted')}</StatusBadge>
  const fault = faultText(file)
  const percent = file.Status === 'created' ? sent : isInWork(file) ? file.EncodingProgress : null
  const state = <StatusBadge tone={tones[file.Status]}>{t(file.Status)}</StatusBadge>
  // Most files have nothing to add, and a list has one for each row.
  if (percent === null && fault === '') return state
  return (
    <div className="file-status">
      {state}
      {percent !== null && (
        <Group gap={6} wrap="nowrap">
          <Progress value={percent} w={80} size={4} aria-label={t('progress', { name })} />
          <Text size="xs" c="dimmed">
            {percent} %
          </Text>
        </Group>
      )}
      {fault !== '' && (
        <Text
          size="xs"
          className="file-fault"
          title={fault}
          c={file.HasErrors ? 'var(--mantine-color-error)' : 'dimmed'}
        >
          {fault}
        </Text>
      )}
    </div>
  )
}
