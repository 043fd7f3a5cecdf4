import { Anchor, Button, Card, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { allProjects } from '../projects/all-projects.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { formatAgo, formatNumber } from '../ui/format.ts'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { pageQuery } from '../ui/lists/pager.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { CreateWebhook } from './create-webhook.tsx'
import { DeliveryStrip } from './delivery-strip.tsx'
import { healthQuery, inspectorTarget, type Webhook } from './webhook-queries.ts'
import { HealthBadge } from './webhook-status.tsx'

const shownDeliveries = 20

const WebhookCard = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.screen')
  const { Id, Label, TargetURL, EventTypes, ProjectId, DisabledReason } = webhook
  const { data: health } = useQuery(healthQuery(Id))
  const { data: projects = [] } = useQuery(allProjects)
  const project = projects.find((one) => one.Id === ProjectId)?.Name ?? t('allProjects')
  const failure = health?.LastFailure ?? null
  return (
    <Card withBorder component="li">
      <Stack gap="xs">
        <Group justify="space-between">
          <Anchor
            fw={600}
            renderRoot={(props) => (
              <Link {...props} to="/notifications/$webhookId" params={{ webhookId: Id }} />
            )}
          >
            {Label || t('unnamed', { id: Id })}
          </Anchor>
          {health !== undefined && <HealthBadge health={health} />}
        </Group>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {TargetURL === inspectorTarget ? t('inspector') : TargetURL}
        </Text>
        <Text size="sm" c="dimmed">
          {`${EventTypes.join(', ')} · ${project}`}
        </Text>
        <DeliveryStrip webhookId={Id} count={shownDeliveries} />
        {DisabledReason !== null && <Text size="sm">{DisabledReason}</Text>}
        {failure !== null && health?.Status !== 'ok' && (
          <Text size="sm">
            {t('lastFailure', { ago: formatAgo(failure.At), error: failure.Error ?? failure.StatusCode })}
          </Text>
        )}
        {health !== undefined && health.WaitingCount > 0 && (
          <Text size="sm">
            {t('waiting', { count: health.WaitingCount, shown: formatNumber(health.WaitingCount) })}
          </Text>
        )}
      </Stack>
    </Card>
  )
}

const limit = 20

export const NotificationsScreen = () => {
  const t = useTexts('notifications.screen')
  const can = useCan()
  const [address, go] = useAddress()
  const [isCreating, { open, close }] = useDisclosure()
  const query = { ...pageQuery(address, limit), orderBy: 'health' as const }
  const list = useQuery({
    queryKey: [...queryKeys.webhooks, 'list', query],
    queryFn: async ({ signal }) => zoetrope.webhooks.list(query, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <Screen
      title={t('title')}
      actions={
        can('webhooks:write') && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
            {t('create')}
          </Button>
        )
      }
    >
      <Text maw={700}>{t('about')}</Text>
      <ListResults
        list={list}
        entriesOf={(page) => page.Webhooks}
        place={address}
        limit={limit}
        onGo={go}
        empty={<Text maw={700}>{t('none')}</Text>}
        skeleton={<ListSkeleton rows={3} rowHeight={150} />}
      >
        {(entries) => (
          <Stack component="ul" p={0} m={0} aria-label={t('webhooks')} style={{ listStyle: 'none' }}>
            {entries.map((webhook) => (
              <WebhookCard key={webhook.Id} webhook={webhook} />
            ))}
          </Stack>
        )}
      </ListResults>
      <CreateWebhook isOpen={isCreating} onClose={close} />
    </Screen>
  )
}
