import { Accordion, Badge, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shell/texts.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useAgo } from '../../ui/relative-time.tsx'
import { RequestShown } from './request-shown.tsx'
import { inspectedQuery } from '../webhook-queries.ts'

const eventOf = (path: string): string => new URL(path, location.origin).searchParams.get('event') ?? path

export const InspectorPanel = ({
  webhookId,
  order,
}: {
  readonly webhookId: number
  /** Heading level, below that of the parent. */
  readonly order: 2 | 4
}) => {
  const t = useTexts('notifications.inspectorPanel')
  const ago = useAgo()
  const { data: requests, error } = useQuery(inspectedQuery(webhookId))
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {t('about')}
      </Text>
      <ProblemAlert error={error} />
      {requests?.length === 0 && <Text role="status">{t('none')}</Text>}
      <Accordion variant="separated" multiple order={order}>
        {requests?.map((request) => (
          <Accordion.Item key={request.Id} value={String(request.Id)}>
            <Accordion.Control>
              <Group gap="xs">
                <Text ff="monospace" size="sm">
                  {eventOf(request.Path)}
                </Text>
                <Badge variant="dot" color={request.IsGenuine ? 'green' : 'red'}>
                  {request.IsGenuine ? t('genuine') : t('forged')}
                </Badge>
                <Text size="sm" c="dimmed">
                  {ago(request.ReceivedAt)}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <RequestShown path={request.Path} headers={request.Headers} body={request.Body} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}
