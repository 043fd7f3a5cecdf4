import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlayerRecordFilled, IconPlayerStopFilled, IconScissors, IconSquareX } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { Confirm } from '../ui/confirm.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ClipDialog } from './clip-dialog.tsx'
import { statusQuery, type LiveIngest, type LiveStatus } from './live-queries.ts'

export const LiveControls = ({
  status,
  ingest,
}: {
  readonly status: LiveStatus
  readonly ingest: LiveIngest
}) => {
  const t = useTexts('live.screen')
  const client = useQueryClient()
  const [isStopping, stopping] = useDisclosure()
  const [isClipping, clipping] = useDisclosure()
  const { ProjectId } = ingest
  const { queryKey } = statusQuery(ProjectId)
  const show = async (next: LiveStatus): Promise<void> => {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, next)
    await client.invalidateQueries({ queryKey: [...queryKeys.live(ProjectId), 'recordings'] })
  }
  const isRecording = status.Recording?.State === 'recording'
  const record = useMutation({
    mutationFn: () =>
      isRecording ? zoetrope.live.stopRecording(ProjectId) : zoetrope.live.startRecording(ProjectId),
    onSuccess: show,
  })
  const isLive = status.State !== 'offline'
  const isShown = status.State === 'online' || status.State === 'reconnecting'
  return (
    <>
      <Group>
        <Button
          color={isRecording ? 'gray' : 'red'}
          variant={isRecording ? 'default' : 'filled'}
          leftSection={
            isRecording ? (
              <IconPlayerStopFilled size={16} aria-hidden />
            ) : (
              <IconPlayerRecordFilled size={16} aria-hidden />
            )
          }
          disabled={!isLive}
          loading={record.isPending}
          onClick={() => record.mutate()}
        >
          {t(isRecording ? 'stopRecording' : 'record')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconScissors size={16} aria-hidden />}
          disabled={!isShown}
          onClick={clipping.open}
        >
          {t('clip')}
        </Button>
        <Button
          variant="default"
          leftSection={<IconSquareX size={16} aria-hidden />}
          disabled={!isLive}
          onClick={stopping.open}
        >
          {t('stop')}
        </Button>
      </Group>
      <ProblemAlert error={record.error} />
      <ClipDialog isOpen={isClipping} onClose={clipping.close} ingest={ingest} />
      <Confirm
        isOpen={isStopping}
        onClose={stopping.close}
        title={t('stopTitle')}
        text={t('stopText')}
        action={t('stop')}
        onConfirm={async () => show(await zoetrope.live.stop(ProjectId))}
      />
    </>
  )
}
