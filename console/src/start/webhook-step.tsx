import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { InspectorPanel } from '../notifications/webhook/inspector-panel.tsx'
import { inspectorTarget } from '../notifications/webhook-queries.ts'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { useTexts } from '../shell/texts.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { webhooksQuery } from './facts.ts'

export const WebhookStep = () => {
  const t = useTexts('start.webhookStep')
  const { data: webhooks, error } = useQuery(webhooksQuery)
  const add = useMutation({
    mutationFn: () =>
      zoetrope.webhooks.create({ Label: t('label'), TargetURL: inspectorTarget, EventTypes: ['file.*'] }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
  })
  const webhook = webhooks?.find(({ TargetURL, IsEnabled }) => TargetURL === inspectorTarget && IsEnabled)
  return (
    <Stack gap="sm">
      <ProblemAlert error={error ?? add.error} />
      {webhook === undefined ? (
        <>
          <Text>{t('about')}</Text>
          <Group>
            <Button loading={add.isPending || webhooks === undefined} onClick={() => add.mutate()}>
              {t('add')}
            </Button>
          </Group>
        </>
      ) : (
        <>
          <Text>{t('waiting')}</Text>
          <InspectorPanel webhookId={webhook.Id} order={4} />
          <Anchor renderRoot={(props) => <Link {...props} to="/notifications" />}>{t('all')}</Anchor>
        </>
      )}
    </Stack>
  )
}
