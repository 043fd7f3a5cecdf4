import { Button, Code, Drawer, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatAgo, formatNumber, formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { RequestShown } from './request-shown.tsx'
import { healthQuery, inspectorTarget, isUnfinished, type Health, type Webhook } from '../webhook-queries.ts'
import { DeliveryBadge } from '../webhook-status.tsx'

type DeliveryWithAttempts = Awaited<ReturnType<typeof zoetrope.webhooks.delivery>>

const Attempts = ({ delivery }: { readonly delivery: DeliveryWithAttempts }) => {
  const t = useTexts('notifications.delivery')
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('attempts')}
      </Title>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label={t('attempts')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('number')}</Table.Th>
              <Table.Th>{t('at')}</Table.Th>
              <Table.Th>{t('took')}</Table.Th>
              <Table.Th>{t('answer')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {delivery.Attempts.map(
              ({ Number, StartedAt, DurationMs, StatusCode, ResponseExcerpt, Error }) => (
                <Table.Tr key={Number} style={{ verticalAlign: 'top' }}>
                  <Table.Td>{Number}</Table.Td>
                  <Table.Td>{formatTime(StartedAt)}</Table.Td>
                  <Table.Td>{t('milliseconds', { value: formatNumber(DurationMs) })}</Table.Td>
                  <Table.Td>
                    <Text size="sm">{StatusCode ?? t('noAnswer')}</Text>
                    {Error !== null && <Text size="sm">{Error}</Text>}
                    {StatusCode !== null && (
                      <Code style={{ wordBreak: 'break-all' }}>{ResponseExcerpt || t('empty')}</Code>
                    )}
                  </Table.Td>
                </Table.Tr>
              ),
            )}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}

const withQuery = (webhook: Webhook, { ProjectId, FileId, Event }: DeliveryWithAttempts): string => {
  const target = webhook.TargetURL === inspectorTarget ? '/inspector' : webhook.TargetURL
  const url = new URL(target, location.origin)
  const added = Object.entries({ ProjectId, FileId, event: Event }).filter(([, value]) => value !== null)
  const query = added.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
  return `${target === '/inspector' ? url.pathname : url.origin + url.pathname}${url.search === '' ? '?' : `${url.search}&`}${query}`
}

/** The request as the webhook would send it now: the stored event with its current settings. */
const Request = ({
  webhook,
  delivery,
}: {
  readonly webhook: Webhook
  readonly delivery: DeliveryWithAttempts
}) => {
  const t = useTexts('notifications.delivery')
  const { EventId } = delivery
  const { data: event, error } = useQuery({
    queryKey: ['event', EventId],
    queryFn: ({ signal }) => zoetrope.events.get(EventId, { signal }),
    staleTime: Infinity,
  })
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('request')}
      </Title>
      {error !== null && <Text size="sm">{t('gone')}</Text>}
      {event !== undefined && (
        <RequestShown
          path={withQuery(webhook, delivery)}
          headers={{
            ...webhook.CustomHeaders,
            'content-type': 'application/json; charset=utf-8',
            'webhook-id': `evt_${EventId}_${webhook.Id}`,
            'webhook-timestamp': t('signedAnew'),
            'webhook-signature': t('signedAnew'),
          }}
          body={JSON.stringify([event])}
        />
      )}
    </Stack>
  )
}

/** Returns null when unknown, for example while the webhook is disabled. A pause delays earlier attempts. */
const nextAttempt = (
  { Status, NextAttemptAt }: DeliveryWithAttempts,
  health: Health | undefined,
): string | null => {
  if (NextAttemptAt === null || health?.Status === 'disabled' || health?.Status === 'held') return null
  const pausedUntil = health?.PausedUntil ?? null
  if (pausedUntil !== null && pausedUntil > NextAttemptAt) return pausedUntil
  return Status === 'waiting' ? NextAttemptAt : null
}

export const DeliveryDrawer = ({
  webhook,
  deliveryId,
  onClose,
}: {
  readonly webhook: Webhook
  /** Null = closed. */
  readonly deliveryId: number | null
  readonly onClose: () => void
}) => {
  const t = useTexts('notifications.delivery')
  const can = useCan()
  const { data: delivery, error } = useQuery({
    queryKey: [...queryKeys.events, 'delivery', webhook.Id, deliveryId],
    queryFn: ({ signal }) => zoetrope.webhooks.delivery(webhook.Id, deliveryId ?? 0, { signal }),
    enabled: deliveryId !== null,
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.FinishedAt !== null ? false : 500,
  })
  const { data: health } = useQuery(healthQuery(webhook.Id))
  const isSending = health === undefined || health.Status === 'ok' || health.Status === 'failing'
  const next = delivery === undefined ? null : nextAttempt(delivery, health)
  const redeliver = useMutation({
    mutationFn: () => zoetrope.webhooks.redeliver(webhook.Id, deliveryId ?? 0),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  })
  return (
    <Drawer
      opened={deliveryId !== null}
      onClose={onClose}
      position="right"
      size="xl"
      title={t('title', { id: deliveryId })}
    >
      <ProblemAlert error={error ?? redeliver.error} />
      {delivery !== undefined && (
        <Stack>
          <Group justify="space-between">
            <Group gap="xs" role="status">
              <Text ff="monospace">{delivery.Event}</Text>
              <DeliveryBadge status={delivery.Status} health={health?.Status} />
              {isUnfinished(delivery) && isSending && <Text size="sm">{t('running')}</Text>}
              {next !== null && <Text size="sm">{t('next', { ago: formatAgo(next) })}</Text>}
            </Group>
            {can('webhooks:write') && delivery.FinishedAt !== null && (
              <Button variant="default" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
                {t('redeliver')}
              </Button>
            )}
          </Group>
          <Attempts delivery={delivery} />
          <Request webhook={webhook} delivery={delivery} />
        </Stack>
      )}
    </Drawer>
  )
}
