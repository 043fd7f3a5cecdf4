import type { MediaFile } from '@zoetrope/sdk'
import { Alert, Button, Group, List, Progress, Stack, Text, ThemeIcon } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconDots, IconRefresh, IconReplace } from '@tabler/icons-react'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { formatAgo, formatTime } from '../ui/format.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { faultText } from './file-fault.ts'
import type { FileRights } from './file-rights.ts'
import { ReplaceSource } from './replace-source.tsx'

const Step = ({
  label,
  at,
  isOver,
}: {
  readonly label: string
  readonly at: string | null
  readonly isOver: boolean
}) => {
  const t = useTexts('file.status')
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
        {isDone ? formatTime(at) : t(isOver ? 'never' : 'waiting')}
      </Text>
    </List.Item>
  )
}

export const StatusPanel = ({ file, rights }: { readonly file: MediaFile; readonly rights: FileRights }) => {
  const t = useTexts('file.status')
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () => zoetrope.files.retry(file.ProjectId, file.Id),
    onSuccess: (again) => queryClient.setQueryData(queryKeys.file(file.ProjectId, file.Id), again),
  })
  const [isReplacing, replacing] = useDisclosure()
  const { UploadedAt, PlayableAt, EncodedAt } = file.Timings
  const isFailed = file.Status === 'failed'
  const isUnderWay = !file.IsFinished && file.Status !== 'created'
  return (
    <Stack gap="sm">
      {!file.HasErrors && file.ErrorMessage !== null && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {faultText(file)}
        </Text>
      )}
      {file.HasErrors && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={file.Status === 'degraded' ? t('degraded') : t('failed')}
        >
          <Stack gap="xs" align="flex-start">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {faultText(file)}
            </Text>
            {rights.mayEdit && <Text size="sm">{t('advice')}</Text>}
            {rights.mayEdit && (
              <Group gap="xs">
                <Button
                  size="xs"
                  leftSection={<IconReplace size={16} aria-hidden />}
                  onClick={replacing.open}
                >
                  {t('replace')}
                </Button>
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconRefresh size={16} aria-hidden />}
                  loading={retry.isPending}
                  onClick={() => retry.mutate()}
                >
                  {t('retry')}
                </Button>
              </Group>
            )}
          </Stack>
        </Alert>
      )}
      <ProblemAlert error={retry.error} />
      <ReplaceSource file={file} isOpen={isReplacing} onClose={replacing.close} />
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
        <Step label={t('uploaded')} at={UploadedAt} isOver={isFailed} />
        <Step label={t('playable')} at={PlayableAt} isOver={isFailed} />
        <Step label={t('encoded')} at={EncodedAt} isOver={isFailed} />
      </List>
    </Stack>
  )
}
