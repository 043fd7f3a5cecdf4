import { Badge, Group, Progress, Stack, Text } from '@mantine/core'
import type { MediaFile } from '@zoetrope/sdk'
import { faultText } from '../file/file-fault.ts'
import { useTexts } from '../shell/texts.ts'
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

const colors = {
  created: 'gray',
  uploaded: 'gray',
  encoding: 'blue',
  playable: 'blue',
  finished: 'green',
  degraded: 'orange',
  failed: 'red',
} as const

/** Whether a worker processes the file. No event reports each percent, so the list polls. */
export const isInWork = ({ Status, IsEnabled }: MediaFile): boolean =>
  IsEnabled && (Status === 'uploaded' || Status === 'encoding' || Status === 'playable')

export const FileStatus = ({ file, name }: { readonly file: MediaFile; readonly name: string }) => {
  const t = useTexts('library.fileStatus')
  const sent = useSentPercent(file.Id)
  if (!file.IsEnabled)
    return (
      <Badge variant="dot" color="gray" tt="none" miw="max-content">
        {t('deleted')}
      </Badge>
    )
  const fault = faultText(file)
  const percent = file.Status === 'created' ? sent : isInWork(file) ? file.EncodingProgress : null
  return (
    <Stack gap={4}>
      <Badge variant="dot" color={colors[file.Status]} tt="none" miw="max-content">
        {t(file.Status)}
      </Badge>
      {percent !== null && (
        <Group gap={6} wrap="nowrap">
          <Progress value={percent} w={80} size="sm" aria-label={t('progress', { name })} />
          <Text size="xs">{percent} %</Text>
        </Group>
      )}
      {fault !== '' && (
        <Text
          size="xs"
          lineClamp={2}
          title={fault}
          maw={240}
          c={file.HasErrors ? 'var(--mantine-color-error)' : 'dimmed'}
        >
          {fault}
        </Text>
      )}
    </Stack>
  )
}
