import { Button, Code, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { messageText } from '../../shell/reason-text.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { DetailDrawer } from '../../ui/detail-drawer.tsx'
import { formatNumber, formatTime } from '../../ui/format.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { useAgo } from '../../ui/relative-time.tsx'
import { RequestShown } from './request-shown.tsx'
import { healthQuery, inspectorTarget, isUnfinished, type Health, type Webhook } from '../webhook-queries.ts'
import { DeliveryBadge } from '../webhook-status.tsx'

/** The next attempt may be hours away. */
const waitingMs = 2_000

type DeliveryWithAttempts = Awaited<ReturnType<typeof zoetrope.webhooks.delivery>>

type Attempt = DeliveryWithAttempts['Attempts'][number]

/** The English text stays beside a translated one, because logs and searches have it. */
const AttemptError = ({ error, attempt }: { readonly error: string; readonly attempt: Attempt }) => {
  const text = messageText(error, attempt.ErrorReason, attempt.ErrorParams)
  return (
    <>
      <Text size="sm">{text}</Text>
      {text !== error && (
        <Text size="xs" c="dimmed" lang="en">
          {error}
        </Text>
      )}
    </>
  )
}

const columnsOf = (t: Translate<'notifications.delivery'>): TableColumn<Attempt>[] => [
  { key: 'number', header: t('number'), width: 70, cell: ({ Number: number }) => number },
  { key: 'at', header: t('at'), width: 180, cell: ({ StartedAt }) => formatTime(StartedAt) },
  {
    key: 'took',
    header: t('took'),
    width: 80,
    align: 'end',
    cell: ({ DurationMs }) => t('milliseconds', { value: formatNumber(DurationMs) }),
  },
  {
    key: 'answer',
    header: t('answer'),
    wraps: true,
    cell: (attempt) => (
      <div>
        <Text size="sm">{attempt.StatusCode ?? t('noAnswer')}</Text>
        {attempt.Error !== null && <AttemptError error={attempt.Error} attempt={attempt} />}
        {attempt.StatusCode !== null && (
          <Code style={{ wordBreak: 'break-all' }}>{attempt.ResponseExcerpt || t('empty')}</Code>
        )}
      </div>
    ),
  },
]

const Attempts = ({ delivery }: { readonly delivery: DeliveryWithAttempts }) => {
  const t = useTexts('notifications.delivery')
  return (
    <Stack gap="xs">
      <Title order={3} size="h5">
        {t('attempts')}
      </Title>
      <DataTable
        id="attempts"
        label={t('attempts')}
        rows={delivery.Attempts.toReversed()}
        keyOf={({ Number: number }) => number}
        columns={columnsOf(t)}
      />
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
  neighbours,
  onShow,
}: {
  readonly webhook: Webhook
  /** Null = closed. */
  readonly deliveryId: number | null
  /** Deliveries of the list, in its order. */
  readonly neighbours: readonly number[]
  readonly onShow: (deliveryId: number | null) => void
}) => {
  const t = useTexts('notifications.delivery')
  const can = useCan()
  const { data: delivery, error } = useQuery({
    queryKey: [...queryKeys.events, 'delivery', webhook.Id, deliveryId],
    queryFn: ({ signal }) => zoetrope.webhooks.delivery(webhook.Id, deliveryId ?? 0, { signal }),
    enabled: deliveryId !== null,
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined || data.FinishedAt !== null) return false
      return isUnfinished(data) ? 500 : waitingMs
    },
  })
  const { data: health } = useQuery(healthQuery(webhook.Id))
  const isSending = health === undefined || health.Status === 'ok' || health.Status === 'failing'
  // Keeps the time of the next attempt current.
  const ago = useAgo()
  const next = delivery === undefined ? null : nextAttempt(delivery, health)
  const redeliver = useMutation({
    mutationFn: (id: number) => zoetrope.webhooks.redeliver(webhook.Id, id),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  })
  const unfinishedId = useRef<number | null>(null)
  // The figures and the list behind the drawer change with the last attempt, which has no event.
  useEffect(() => {
    if (delivery === undefined) return
    if (delivery.FinishedAt === null) unfinishedId.current = delivery.Id
    else if (unfinishedId.current === delivery.Id) {
      unfinishedId.current = null
      void queryClient.invalidateQueries({ queryKey: queryKeys.events })
    }
  }, [delivery])
  const place = deliveryId === null ? -1 : neighbours.indexOf(deliveryId)
  const stepTo = (id: number | undefined) => (place < 0 || id === undefined ? null : () => onShow(id))
  return (
    <DetailDrawer
      isOpen={deliveryId !== null}
      onClose={() => onShow(null)}
      title={t('title', { id: deliveryId })}
      onPrevious={stepTo(neighbours[place - 1])}
      onNext={stepTo(neighbours[place + 1])}
      status={
        delivery !== undefined && (
          <div className="delivery-status" role="status">
            <Text ff="monospace" size="sm">
              {delivery.Event}
            </Text>
            <DeliveryBadge status={delivery.Status} health={health?.Status} />
            {isUnfinished(delivery) && isSending && <Text size="sm">{t('running')}</Text>}
            {next !== null && <Text size="sm">{t('next', { ago: ago(next) })}</Text>}
          </div>
        )
      }
      actions={
        delivery !== undefined &&
        can('webhooks:write') &&
        // The button that the user has pressed stays, and has the focus again after the attempt.
        (delivery.Status !== 'pending' || redeliver.variables === delivery.Id) && (
          <Button
            variant="default"
            loading={redeliver.isPending}
            disabled={delivery.Status === 'pending'}
            onClick={() => redeliver.mutate(delivery.Id)}
          >
            {t('redeliver')}
          </Button>
        )
      }
    >
      <ProblemAlert error={error ?? redeliver.error} />
      {delivery !== undefined && (
        <>
          {delivery.Attempts.length > 0 && <Attempts delivery={delivery} />}
          <Request webhook={webhook} delivery={delivery} />
        </>
      )}
    </DetailDrawer>
  )
}
