import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryClient, queryKeys } from '../shell/query.ts'

type WebhookListQuery = NonNullable<Parameters<typeof zoetrope.webhooks.list>[0]>

export type Webhook = Awaited<ReturnType<typeof zoetrope.webhooks.get>>
export type ListedWebhook = Awaited<ReturnType<typeof zoetrope.webhooks.list>>['Webhooks'][number]
export type Delivery = Awaited<ReturnType<typeof zoetrope.webhooks.redeliver>>
export type Health = Awaited<ReturnType<typeof zoetrope.webhooks.health>>
export type Hour = Awaited<ReturnType<typeof zoetrope.webhooks.hours>>['Hours'][number]
export type DeliveryStatus = Delivery['Status']

/** Target of a webhook whose requests stay in the built-in inspector. */
export const inspectorTarget = 'zoetrope:inspector'

/** Deliveries that have not succeeded. Due retries of a paused webhook wait as `pending`. */
export const unsuccessful = 'waiting,failed,pending'

/** An attempt takes slightly longer than the event that caused it. */
const unfinishedMs = 1_000
/** Interval for changes without an event, such as later attempts. */
const idleMs = 15_000
/** Health is a cheap request, also for a page of webhooks. */
const healthMs = 5_000

export const isUnfinished = ({ Status }: Pick<Delivery, 'Status'>): boolean => Status === 'pending'

/** One page of webhooks with their health. Shares the key of events, because each may change it. */
export const webhooksQuery = (query: WebhookListQuery) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'webhooks', query],
    queryFn: async ({ signal }) =>
      zoetrope.webhooks.list({ ...query, orderBy: 'health', includeHealth: true }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: healthMs,
  })

/** After a change of a webhook: its record, and all that shares the key of events. */
export const reloadWebhooks = async (): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.webhooks }),
    queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  ])
}

export const webhookQuery = (webhookId: number) =>
  queryOptions({
    queryKey: queryKeys.webhook(webhookId),
    queryFn: ({ signal }) => zoetrope.webhooks.get(webhookId, { signal }),
    // The client stores the ETag by object identity.
    structuralSharing: false,
  })

/** Shares the key of events, because each event may create a delivery. */
export const deliveriesQuery = (
  webhookId: number,
  query: NonNullable<Parameters<typeof zoetrope.webhooks.deliveries>[1]>,
) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'deliveries', webhookId, query],
    queryFn: async ({ signal }) => zoetrope.webhooks.deliveries(webhookId, query, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.Deliveries.some(isUnfinished) === true ? unfinishedMs : idleMs,
  })

const shownMs = 48 * 3_600_000
const minuteMs = 60_000

/** Counts the deliveries of the last 48 hours that ended in each of these ways. */
export const deliveryCountsQuery = (webhookId: number) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'delivery-counts', webhookId],
    queryFn: async ({ signal }) => {
      // The same for a minute, so that the response can be compared with the one before.
      const from = Math.floor((Date.now() - shownMs) / minuteMs) * minuteMs
      const count = async (status: DeliveryStatus): Promise<number> => {
        const query = { status, createdFrom: new Date(from).toISOString(), limit: 1 }
        const page = await zoetrope.webhooks.deliveries(webhookId, query, { signal })
        return page.TotalCount
      }
      const [delivered, failed] = await Promise.all([count('delivered'), count('failed')])
      return { delivered, failed }
    },
    refetchInterval: idleMs,
  })

export const healthQuery = (webhookId: number) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'health', webhookId],
    queryFn: ({ signal }) => zoetrope.webhooks.health(webhookId, { signal }),
    refetchInterval: healthMs,
  })

export const hoursQuery = (webhookId: number) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'hours', webhookId],
    queryFn: async ({ signal }) => {
      const { Hours } = await zoetrope.webhooks.hours(webhookId, { signal })
      return Hours
    },
    refetchInterval: idleMs,
  })

export const inspectedQuery = (webhookId: number) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'inspected', webhookId],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.webhooks.inspected(webhookId, {}, { signal })
      return page.Requests
    },
    refetchInterval: 2_000,
  })
