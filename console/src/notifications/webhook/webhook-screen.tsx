import { Button, Group, Tabs, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { formatAgo, formatNumber } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Screen } from '../../ui/screen.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { DeliveryStrip } from '../delivery-strip.tsx'
import { EnableSwitch } from './enable-switch.tsx'
import { HoursPanel } from './hours-panel.tsx'
import { InspectorPanel } from './inspector-panel.tsx'
import { ReplayPanel } from './replay-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { VerifyPanel } from './verify-panel.tsx'
import { healthQuery, inspectorTarget, webhookQuery, type Webhook } from '../webhook-queries.ts'
import { HealthBadge } from '../webhook-status.tsx'

const shownDeliveries = 100

const Health = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhook')
  const { data: health } = useQuery(healthQuery(webhook.Id))
  if (health === undefined) return null
  const { Status, PausedUntil, HeldReason, LastFailure, DisabledReason, WaitingCount } = health
  return (
    <>
      <Group gap="md" align="flex-start">
        <HealthBadge health={health} />
        <DeliveryStrip webhookId={webhook.Id} count={shownDeliveries} />
      </Group>
      {PausedUntil !== null && <Text size="sm">{t('paused', { ago: formatAgo(PausedUntil) })}</Text>}
      {HeldReason !== null && <Text size="sm">{HeldReason}</Text>}
      {DisabledReason !== null && <Text size="sm">{DisabledReason}</Text>}
      {Status === 'disabled' && WaitingCount > 0 && (
        <Text size="sm">{t('kept', { count: WaitingCount, shown: formatNumber(WaitingCount) })}</Text>
      )}
      {LastFailure !== null && Status !== 'ok' && (
        <Text size="sm">
          {t('lastFailure', {
            ago: formatAgo(LastFailure.At),
            error: LastFailure.Error ?? LastFailure.StatusCode,
          })}
        </Text>
      )}
    </>
  )
}

const Actions = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhook')
  const navigate = useNavigate()
  const params = { webhookId: webhook.Id }
  const test = useMutation({
    mutationFn: () => zoetrope.webhooks.test(webhook.Id),
    onSuccess: ({ Id }) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.events })
      void navigate({ to: '/notifications/$webhookId', params, search: { delivery: String(Id) } })
    },
  })
  return (
    <>
      <ProblemAlert error={test.error} />
      <EnableSwitch webhook={webhook} />
      <Button disabled={!webhook.IsEnabled} loading={test.isPending} onClick={() => test.mutate()}>
        {t('test')}
      </Button>
    </>
  )
}

const Sections = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhook')
  const can = useCan()
  const navigate = useNavigate()
  const { tab } = useSearch({ from: '/inside/notifications/$webhookId' })
  const isInspected = webhook.TargetURL === inspectorTarget
  const sections = [
    { name: 'deliveries', isShown: true, panel: <DeliveriesPanel webhook={webhook} /> },
    { name: 'hours', isShown: true, panel: <HoursPanel webhookId={webhook.Id} /> },
    { name: 'inspector', isShown: isInspected, panel: <InspectorPanel webhookId={webhook.Id} order={2} /> },
    { name: 'settings', isShown: true, panel: <SettingsPanel webhook={webhook} /> },
    { name: 'verify', isShown: true, panel: <VerifyPanel lastFour={webhook.SecretLastFour} /> },
    { name: 'replay', isShown: can('webhooks:write'), panel: <ReplayPanel webhookId={webhook.Id} /> },
  ] as const
  const shown = sections.filter(({ isShown }) => isShown)
  const current = shown.find(({ name }) => name === tab) ?? shown[0]
  return (
    <Tabs
      value={current?.name ?? null}
      keepMounted={false}
      onChange={(name) =>
        void navigate({
          to: '/notifications/$webhookId',
          params: { webhookId: webhook.Id },
          search: name === null ? {} : { tab: name },
        })
      }
    >
      <Tabs.List aria-label={t('sections')} mb="md">
        {shown.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {t(name)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {shown.map(({ name, panel }) => (
        <Tabs.Panel key={name} value={name}>
          {panel}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

export const WebhookScreen = () => {
  const t = useTexts('notifications.webhook')
  const can = useCan()
  const { webhookId } = useParams({ from: '/inside/notifications/$webhookId' })
  const { data: webhook, error, refetch } = useQuery(webhookQuery(webhookId))
  return (
    <Screen
      title={webhook?.Label || t('title', { id: webhookId })}
      actions={webhook !== undefined && can('webhooks:write') && <Actions webhook={webhook} />}
    >
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {webhook !== undefined && (
        <>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {webhook.TargetURL === inspectorTarget ? t('inspected') : webhook.TargetURL}
          </Text>
          <Health webhook={webhook} />
          <Sections webhook={webhook} />
        </>
      )}
    </Screen>
  )
}
