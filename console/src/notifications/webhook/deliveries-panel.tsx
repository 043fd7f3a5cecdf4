import { Anchor, Button, Checkbox, Group, Select, Stack, Table, Text } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { eventNames } from '@zoetrope/vocabulary'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { ListResults } from '../../ui/lists/list-results.tsx'
import { firstPage, pageQuery } from '../../ui/lists/pager.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { DeliveryDrawer } from './delivery-drawer.tsx'
import { deliveriesQuery, healthQuery, type Webhook } from '../webhook-queries.ts'
import { DeliveryBadge, useDeliveryWords } from '../webhook-status.tsx'

const statuses = ['pending', 'waiting', 'delivered', 'failed', 'cancelled'] as const
const limit = 25

/** Past and pending deliveries, updated live. Filters, page and the open delivery are part of the URL. */
export const DeliveriesPanel = ({ webhook }: { readonly webhook: Webhook }) => {
  const t = useTexts('notifications.deliveries')
  const statusWords = useDeliveryWords()
  const can = useCan()
  const navigate = useNavigate()
  const search = useSearch({ from: '/inside/notifications/$webhookId' })
  const { status, event, delivery } = search
  const params = { webhookId: webhook.Id }
  const go = (changes: Record<string, string | undefined>): void =>
    void navigate({ to: '/notifications/$webhookId', params, search: withChanges(search, changes) })
  const list = useQuery({
    ...deliveriesQuery(webhook.Id, withChanges(pageQuery(search, limit), { status, event })),
    placeholderData: keepPreviousData,
  })
  const { data: health } = useQuery(healthQuery(webhook.Id))
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const redeliver = useMutation({
    mutationFn: async () => {
      // Sequential, in the order of creation.
      for (const id of [...chosen].toSorted((a, b) => a - b)) {
        await zoetrope.webhooks.redeliver(webhook.Id, id)
        setChosen((before) => new Set([...before].filter((one) => one !== id)))
      }
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  })
  const choose = (ids: readonly number[], isChosen: boolean): void =>
    setChosen(new Set([...chosen].filter((id) => !ids.includes(id)).concat(isChosen ? ids : [])))
  const ended = (list.data?.Deliveries ?? [])
    .filter(({ FinishedAt }) => FinishedAt !== null)
    .map(({ Id }) => Id)
  const mayRedeliver = can('webhooks:write')
  return (
    <Stack>
      <Group align="flex-end">
        <Select
          label={t('status')}
          value={status ?? ''}
          allowDeselect={false}
          data={[
            { value: '', label: t('any') },
            ...statuses.map((value) => ({ value, label: statusWords(value) })),
          ]}
          onChange={(value) => go({ status: value ?? undefined, ...firstPage })}
        />
        <Select
          label={t('event')}
          searchable
          value={event ?? ''}
          allowDeselect={false}
          data={[{ value: '', label: t('any') }, ...eventNames]}
          onChange={(value) => go({ event: value ?? undefined, ...firstPage })}
        />
        {mayRedeliver && chosen.size > 0 && (
          <Button loading={redeliver.isPending} onClick={() => redeliver.mutate()}>
            {t('redeliver', { count: chosen.size })}
          </Button>
        )}
      </Group>
      <ProblemAlert error={redeliver.error} />
      <ListResults
        list={list}
        entriesOf={(page) => page.Deliveries}
        place={search}
        limit={limit}
        onGo={go}
        empty={<Text>{t('none')}</Text>}
      >
        {(deliveries) => (
          <Table.ScrollContainer minWidth={640}>
            <Table aria-label={t('deliveries')} verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  {mayRedeliver && (
                    <Table.Td w={40}>
                      <Checkbox
                        aria-label={t('chooseAll')}
                        disabled={ended.length === 0}
                        checked={ended.length > 0 && ended.every((id) => chosen.has(id))}
                        onChange={({ currentTarget }) => choose(ended, currentTarget.checked)}
                      />
                    </Table.Td>
                  )}
                  <Table.Th>{t('event')}</Table.Th>
                  <Table.Th>{t('status')}</Table.Th>
                  <Table.Th>{t('answer')}</Table.Th>
                  <Table.Th>{t('attempts')}</Table.Th>
                  <Table.Th>{t('file')}</Table.Th>
                  <Table.Th>{t('created')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {deliveries.map((one) => (
                  <Table.Tr key={one.Id}>
                    {mayRedeliver && (
                      <Table.Td>
                        <Checkbox
                          aria-label={t('choose', { id: one.Id })}
                          disabled={one.FinishedAt === null}
                          checked={chosen.has(one.Id)}
                          onChange={({ currentTarget }) => choose([one.Id], currentTarget.checked)}
                        />
                      </Table.Td>
                    )}
                    <Table.Td>
                      <Anchor
                        ff="monospace"
                        size="sm"
                        renderRoot={(props) => (
                          <Link
                            {...props}
                            to="/notifications/$webhookId"
                            params={params}
                            search={withChanges(search, { delivery: String(one.Id) })}
                          />
                        )}
                      >
                        {one.Event}
                      </Anchor>
                    </Table.Td>
                    <Table.Td>
                      <DeliveryBadge status={one.Status} health={health?.Status} />
                    </Table.Td>
                    <Table.Td>{one.LastError ?? one.LastStatusCode ?? '–'}</Table.Td>
                    <Table.Td>{one.AttemptCount}</Table.Td>
                    <Table.Td>{one.FileId ?? '–'}</Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(one.CreatedAt)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        )}
      </ListResults>
      <DeliveryDrawer
        webhook={webhook}
        deliveryId={delivery === undefined ? null : Number(delivery)}
        onClose={() => go({ delivery: undefined })}
      />
    </Stack>
  )
}

/** Omits empty values, which keeps the URL short and the API query valid. */
const withChanges = <T extends object>(
  before: T,
  changes: Readonly<Record<string, string | undefined>>,
): T & Record<string, string> =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter(([, value]) => value !== undefined && value !== ''),
  ) as T & Record<string, string>
