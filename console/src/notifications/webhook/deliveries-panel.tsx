import { Anchor, Button, Group, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { messageText } from '../../shell/reason-text.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts, type Translate } from '../../shell/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FileLink } from '../../ui/file-link.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { pageQuery } from '../../ui/lists/pager.tsx'
import type { TableColumn } from '../../ui/lists/table-columns.tsx'
import { useAddress, type Address } from '../../ui/lists/use-address.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { deliveriesQuery, healthQuery, type Delivery, type Health, type Webhook } from '../webhook-queries.ts'
import { DeliveryBadge } from '../webhook-status.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { deliveryFilterOf, DeliveryFilters } from './delivery-filters.tsx'
import { useDeliverySelection } from './use-delivery-selection.ts'

const limit = 25

const withDelivery = ({ delivery: _shown, ...others }: Address, id: number | null): Address =>
  id === null ? others : { ...others, delivery: String(id) }

const columnsOf = (
  t: Translate<'notifications.deliveries'>,
  address: Address,
  health: Health | undefined,
): TableColumn<Delivery>[] => [
  {
    key: 'event',
    header: t('event'),
    width: 190,
    cell: ({ Id, Event }) => (
      <Anchor
        ff="monospace"
        size="sm"
        renderRoot={(props) => <Link {...props} to="." search={() => withDelivery(address, Id)} />}
      >
        {Event}
      </Anchor>
    ),
  },
  {
    key: 'status',
    header: t('status'),
    width: 190,
    cell: ({ Status }) => <DeliveryBadge status={Status} health={health?.Status} />,
  },
  {
    key: 'answer',
    header: t('answer'),
    cell: ({ LastError, LastErrorReason, LastErrorParams, LastStatusCode }) =>
      LastError === null ? (LastStatusCode ?? '–') : messageText(LastError, LastErrorReason, LastErrorParams),
  },
  {
    key: 'attempts',
    header: t('attempts'),
    width: 90,
    align: 'end',
    cell: ({ AttemptCount }) => AttemptCount,
  },
  {
    key: 'file',
    header: t('file'),
    width: 90,
    align: 'end',
    hideable: true,
    cell: ({ ProjectId, FileId }) =>
      ProjectId === null || FileId === null ? (
        '–'
      ) : (
        <FileLink projectId={ProjectId} fileId={FileId} size="sm">
          {FileId}
        </FileLink>
      ),
  },
  {
    key: 'created',
    header: t('created'),
    width: 140,
    align: 'end',
    cell: ({ CreatedAt }) => <RelativeTime instant={CreatedAt} />,
  },
]

/** Past and pending deliveries, updated live. Filters, page and the open delivery are part of the URL. */
export const DeliveriesPanel = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.deliveries')
  const can = useCan()
  const navigate = useNavigate()
  const [address, go] = useAddress()
  const filter = deliveryFilterOf(address)
  const list = useQuery({
    ...deliveriesQuery(webhook.Id, { ...pageQuery(address, limit), ...filter }),
    placeholderData: keepPreviousData,
  })
  const { data: health } = useQuery(healthQuery(webhook.Id))
  const deliveries = list.data?.Deliveries ?? []
  const { selection, count, redeliver } = useDeliverySelection(webhook.Id, deliveries)
  const mayRedeliver = can('webhooks:write')
  const shownId = address['delivery'] === undefined ? null : Number(address['delivery'])
  const show = (id: number | null, replace: boolean): void =>
    void navigate({ to: '.', search: () => withDelivery(address, id), replace })
  const columns = columnsOf(t, address, health)
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-start">
        <DeliveryFilters />
        {mayRedeliver && count > 0 && (
          <Button size="xs" loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
            {t('redeliver', { count })}
          </Button>
        )}
      </Group>
      <ProblemAlert error={redeliver.error} />
      <ListResults
        list={list}
        entriesOf={(page) => page.Deliveries}
        place={address}
        limit={limit}
        onGo={go}
        empty={
          Object.keys(filter).length === 0 ? (
            <EmptyState picture="signal" title={t('empty')}>
              {t('emptyText')}
            </EmptyState>
          ) : (
            <EmptyState picture="search" title={t('none')} />
          )
        }
      >
        {(shown) => (
          <DataTable
            id="deliveries"
            label={t('deliveries')}
            columns={columns}
            rows={shown}
            keyOf={({ Id }) => Id}
            onOpen={({ Id }) => show(Id, false)}
            {...(mayRedeliver && { selection })}
          />
        )}
      </ListResults>
      <DeliveryDrawer
        webhook={webhook}
        deliveryId={shownId}
        neighbours={deliveries.map(({ Id }) => Id)}
        onShow={(id) => show(id, true)}
      />
    </Stack>
  )
}
