import { Alert, Button, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { ingestQuery, type LiveIngest } from './live-queries.ts'

/** What keeps encoders or viewers out, with the button that changes it. */
export const StreamNotices = ({
  ingest,
  mayControl,
}: {
  readonly ingest: LiveIngest
  readonly mayControl: boolean
}) => {
  const t = useTexts('live.board')
  const client = useQueryClient()
  const { ProjectId, IsEnabled, ReleaseStatus } = ingest
  const change = useMutation({
    mutationFn: (settings: Partial<Pick<LiveIngest, 'IsEnabled' | 'ReleaseStatus'>>) =>
      zoetrope.live.updateIngest(ProjectId, settings),
    onSuccess: (saved) => client.setQueryData(ingestQuery(ProjectId).queryKey, saved),
  })
  const notice = (said: string, action: string, onAct: () => void, color = 'blue') => (
    <Alert color={color} variant="outline" p="xs">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{said}</Text>
        {mayControl && (
          <Button size="xs" loading={change.isPending} onClick={onAct}>
            {action}
          </Button>
        )}
      </Group>
    </Alert>
  )
  return (
    <>
      {!IsEnabled && notice(t('disabled'), t('enable'), () => change.mutate({ IsEnabled: true }), 'red')}
      {ReleaseStatus !== 'published' &&
        notice(t('notPublished'), t('publish'), () => change.mutate({ ReleaseStatus: 'published' }))}
      <ProblemAlert error={change.error} />
    </>
  )
}
