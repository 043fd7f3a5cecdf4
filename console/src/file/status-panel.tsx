import type { MediaFile } from '@zoetrope/sdk'
import { Alert, Button, Group, List, Progress, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconDots, IconRefresh } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { formatAgo, formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import type { FileRights } from './file-rights.ts'

const useWords = defineWords('file-status', {
  en: {
    uploaded: 'Uploaded',
    playable: 'Can be played',
    encoded: 'All renditions are made',
    waiting: 'not yet',
    progress: 'Processed: {{percent}} %',
    ready: 'ready {{when}}',
    failed: 'Nothing of this file can be played',
    degraded: 'It plays, but something failed',
    retry: 'Process again',
    created: 'The bytes are missing: the upload is under way, or has been given up.',
  },
  de: {
    uploaded: 'Hochgeladen',
    playable: 'Abspielbar',
    encoded: 'Alle Renditions fertig',
    waiting: 'noch nicht',
    progress: 'Verarbeitet: {{percent}} %',
    ready: 'fertig {{when}}',
    failed: 'Von dieser Datei lässt sich nichts abspielen',
    degraded: 'Es ist abspielbar, aber etwas ist fehlgeschlagen',
    retry: 'Noch einmal verarbeiten',
    created: 'Die Daten fehlen: Der Upload läuft noch oder wurde aufgegeben.',
  },
})

const Step = ({ label, at }: { readonly label: string; readonly at: string | null }) => {
  const t = useWords()
  const isDone = at !== null
  return (
    <List.Item
      icon={
        <ThemeIcon size={22} radius="xl" variant={isDone ? 'filled' : 'default'} color="green.9">
          {isDone ? <IconCheck size={14} aria-hidden /> : <IconDots size={14} aria-hidden />}
        </ThemeIcon>
      }
    >
      <Text span size="sm">
        {label}:{' '}
      </Text>
      <Text span size="sm" c="dimmed">
        {isDone ? formatTime(at) : t('waiting')}
      </Text>
    </List.Item>
  )
}

/** How far it is, and what went wrong. */
export const StatusPanel = ({ file, rights }: { readonly file: MediaFile; readonly rights: FileRights }) => {
  const t = useWords()
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => zoetrope.files.retry(file.ProjectId, file.Id),
    onSuccess: (again) => queryClient.setQueryData(queryKeys.file(file.ProjectId, file.Id), again),
  })
  const { UploadedAt, PlayableAt, EncodedAt } = file.Timings
  const isUnderWay = !file.IsFinished && file.Status !== 'created'
  return (
    <Stack gap="sm">
      {file.HasErrors && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={file.Status === 'degraded' ? t('degraded') : t('failed')}
        >
          <Stack gap="xs" align="flex-start">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {file.ErrorMessage}
            </Text>
            {rights.mayEdit && (
              <Button
                size="xs"
                leftSection={<IconRefresh size={16} aria-hidden />}
                loading={retry.isPending}
                onClick={() => retry.mutate()}
              >
                {t('retry')}
              </Button>
            )}
          </Stack>
        </Alert>
      )}
      <ProblemAlert error={retry.error} />
      {isUnderWay && (
        <div>
          <Progress
            value={file.EncodingProgress}
            aria-label={t('progress', { percent: file.EncodingProgress })}
          />
          <Group justify="space-between" mt={4}>
            <Text size="sm" role="status">
              {t('progress', { percent: file.EncodingProgress })}
            </Text>
            {file.EstimatedReadyAt !== null && (
              <Text size="sm" c="dimmed">
                {t('ready', { when: formatAgo(file.EstimatedReadyAt) })}
              </Text>
            )}
          </Group>
        </div>
      )}
      {file.Status === 'created' && <Text size="sm">{t('created')}</Text>}
      <List spacing={6} listStyleType="none" center>
        <Step label={t('uploaded')} at={UploadedAt} />
        <Step label={t('playable')} at={PlayableAt} />
        <Step label={t('encoded')} at={EncodedAt} />
      </List>
    </Stack>
  )
}
