import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { InspectorPanel } from '../notifications/inspector-panel.tsx'
import { inspectorTarget } from '../notifications/webhook-queries.ts'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { defineWords } from '../shell/words.ts'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { webhooksQuery } from './facts.ts'

const useWords = defineWords('webhook-step', {
  en: {
    about:
      'A webhook posts what happens to a receiver of yours. The built-in inspector is one already: nothing leaves this machine, and you see each request whole.',
    add: 'Add a webhook to the inspector',
    waiting: 'Now upload a file: file.new arrives here when it is encoded.',
    all: 'Notifications',
    label: 'Inspector',
  },
  de: {
    about:
      'Ein Webhook sagt Ihrem Empfänger, was geschieht. Der eingebaute Inspektor ist schon einer: Nichts verlässt diese Maschine, und Sie sehen jede Anfrage ganz.',
    add: 'Webhook an den Inspektor anlegen',
    waiting: 'Laden Sie jetzt eine Datei hoch: file.new kommt hier an, wenn sie encodiert ist.',
    all: 'Benachrichtigungen',
    label: 'Inspektor',
  },
})

export const WebhookStep = () => {
  const t = useWords()
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
