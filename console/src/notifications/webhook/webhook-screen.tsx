import '../notifications.css'
import '../../ui/styles/split.css'
import { Button, Stack, Tabs } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { useShownTab } from '../../ui/layout/use-shown-tab.ts'
import { useAddress } from '../../ui/lists/use-address.ts'
import { Screen } from '../../ui/screen.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { EnableSwitch } from './enable-switch.tsx'
import { Trouble, WebhookFigures } from './health-panel.tsx'
import { InspectorPanel } from './inspector-panel.tsx'
import { ReplayPanel } from './replay-panel.tsx'
import { SettingsPanel } from './settings-panel.tsx'
import { Timeline } from './timeline.tsx'
import { VerifyPanel } from './verify-panel.tsx'
import { WebhookSkeleton } from './webhook-skeleton.tsx'
import {
  deliveryCountsQuery,
  healthQuery,
  hoursQuery,
  inspectorTarget,
  unsuccessful,
  webhookQuery,
  type Webhook,
} from '../webhook-queries.ts'
import { HealthBadge } from '../webhook-status.tsx'

const Actions = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhook')
  const toasts = useToasts()
  const navigate = useNavigate()
  const [address] = useAddress()
  const test = useMutation({
    mutationFn: () => zoetrope.webhooks.test(webhook.Id),
    onSuccess: ({ Id }) => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.events })
      const { tab: _before, ...filters } = address
      void navigate({ to: '.', search: () => ({ ...filters, delivery: String(Id) }) })
    },
    onError: toasts.failed,
  })
  return (
    <>
      <EnableSwitch webhook={webhook} />
      <Button disabled={!webhook.IsEnabled} loading={test.isPending} onClick={() => test.mutate()}>
        {t('test')}
      </Button>
    </>
  )
}

const Overview = ({ webhook }: { readonly webhook: Webhook }) => {
  const [, go] = useAddress()
  return (
    <Stack>
      <Trouble webhook={webhook} onShow={() => go({ status: unsuccessful, hour: undefined })} />
      <WebhookFigures webhookId={webhook.Id} />
      <Timeline webhookId={webhook.Id} onPick={(hour) => go({ hour })} />
      <DeliveriesPanel webhook={webhook} />
    </Stack>
  )
}

const Sections = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.webhook')
  const can = useCan()
  const navigate = useNavigate()
  const [address] = useAddress()
  const isInspected = webhook.TargetURL === inspectorTarget
  const sections = [
    { name: 'deliveries', isShown: true, panel: <Overview webhook={webhook} /> },
    { name: 'inspector', isShown: isInspected, panel: <InspectorPanel webhookId={webhook.Id} order={2} /> },
    { name: 'verify', isShown: true, panel: <VerifyPanel lastFour={webhook.SecretLastFour} /> },
    { name: 'replay', isShown: can('webhooks:write'), panel: <ReplayPanel webhookId={webhook.Id} /> },
    { name: 'settings', isShown: true, panel: <SettingsPanel webhook={webhook} /> },
  ] as const
  const shown = sections.filter(({ isShown }) => isShown)
  const current = shown.find(({ name }) => name === address['tab']) ?? shown[0]
  const list = useShownTab(current?.name ?? null)
  return (
    <Tabs
      value={current?.name ?? null}
      keepMounted={false}
      onChange={(name) => {
        const { tab: _before, ...filters } = address
        void navigate({
          to: '.',
          search: () => (name === null || name === 'deliveries' ? filters : { ...filters, tab: name }),
        })
      }}
    >
      <Tabs.List aria-label={t('sections')} mb="md" ref={list} className="section-tabs">
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
  const tList = useTexts('notifications.screen')
  const can = useCan()
  const { webhookId } = useParams({ from: '/inside/notifications/$webhookId' })
  const { data: webhook, error, refetch } = useQuery(webhookQuery(webhookId))
  const { data: health, isPending } = useQuery(healthQuery(webhookId))
  // Figures that come one after the other would move those below.
  const figures = [useQuery(deliveryCountsQuery(webhookId)), useQuery(hoursQuery(webhookId))]
  const isLoading = error === null && (isPending || figures.some((one) => one.isPending))
  const shown = isLoading ? undefined : webhook
  return (
    <Screen
      title={shown?.Label || t('title', { id: webhookId })}
      crumbs={[{ label: tList('title'), to: '/notifications' }]}
      status={!isLoading && health !== undefined && <HealthBadge health={health} />}
      description={
        shown !== undefined && (
          <span style={{ overflowWrap: 'anywhere' }}>
            {shown.TargetURL === inspectorTarget ? t('inspected') : shown.TargetURL}
          </span>
        )
      }
      actions={shown !== undefined && can('webhooks:write') && <Actions webhook={shown} />}
    >
      {error !== null && webhook === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isLoading && <WebhookSkeleton />}
      {shown !== undefined && <Sections webhook={shown} />}
    </Screen>
  )
}
