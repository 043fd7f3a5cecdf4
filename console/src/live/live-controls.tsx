import { Button, Group, Menu } from '@mantine/core'
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

const useShowStatus = (projectId: number): ((next: LiveStatus) => Promise<void>) => {
  const client = useQueryClient()
  const { queryKey } = statusQuery(projectId)
  return async (next) => {
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, next)
    await client.invalidateQueries({ queryKey: [...queryKeys.live(projectId), 'recordings'] })
  }
}

export const LiveControls = ({
  status,
  ingest,
}: {
  readonly status: LiveStatus
  readonly ingest: LiveIngest
}) => {
  const t = useTexts('live.screen')
  const [isClipping, clipping] = useDisclosure()
  const { ProjectId } = ingest
  const isRecording = status.Recording?.State === 'recording'
  const record = useMutation({
    mutationFn: () =>
      isRecording ? zoetrope.live.stopRecording(ProjectId) : zoetrope.live.startRecording(ProjectId),
    onSuccess: useShowStatus(ProjectId),
  })
  const isShown = status.State === 'online' || status.State === 'reconnecting'
  const Icon = isRecording ? IconPlayerStopFilled : IconPlayerRecordFilled
  return (
    <>
      <ProblemAlert error={record.error} />
      {/* Both are on one line, also below the title on a phone. */}
      <Group gap="xs" wrap="nowrap">
        <Button
          variant="default"
          leftSection={<IconScissors size={16} aria-hidden />}
          disabled={!isShown}
          onClick={clipping.open}
        >
          {t('clip')}
        </Button>
        <Button
          color="red"
          variant={isRecording ? 'outline' : 'filled'}
          leftSection={<Icon size={16} aria-hidden />}
          disabled={status.State === 'offline'}
          loading={record.isPending}
          onClick={() => record.mutate()}
        >
          {t(isRecording ? 'stopRecording' : 'record')}
        </Button>
      </Group>
      <ClipDialog isOpen={isClipping} onClose={clipping.close} status={status} ingest={ingest} />
    </>
  )
}

/** In the menu, because it ends the broadcast for all viewers. */
export const StopItem = ({
  status,
  onStop,
}: {
  readonly status: LiveStatus
  readonly onStop: () => void
}) => {
  const t = useTexts('live.screen')
  return (
    <Menu.Item
      c="var(--mantine-color-error)"
      leftSection={<IconSquareX size={16} aria-hidden />}
      disabled={status.State === 'offline'}
      onClick={onStop}
    >
      {t('stop')}
    </Menu.Item>
  )
}

export const StopDialog = ({
  projectId,
  isOpen,
  onClose,
}: {
  readonly projectId: number
  readonly isOpen: boolean
  readonly onClose: () => void
}) => {
  const t = useTexts('live.screen')
  const show = useShowStatus(projectId)
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={t('stopTitle')}
      text={t('stopText')}
      action={t('stop')}
      onConfirm={async () => show(await zoetrope.live.stop(projectId))}
    />
  )
}
