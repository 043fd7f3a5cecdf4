import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'

export type Webhook = Awaited<ReturnType<typeof zoetrope.webhooks.get>>
export type Delivery = Awaited<ReturnType<typeof zoetrope.webhooks.redeliver>>
export type Health = Awaited<ReturnType<typeof zoetrope.webhooks.health>>
export type Hour = Awaited<ReturnType<typeof zoetrope.webhooks.hours>>['Hours'][number]
export type DeliveryStatus = Delivery['Status']

/** Target of a webhook whose requests stay in the built-in inspector. */
export const inspectorTarget = 'zoetrope:inspector'

/** An attempt takes slightly longer than the event that caused it. */
const unfinishedMs = 1_000
/** Interval for changes without an event, such as later attempts. */
const idleMs = 15_000

export const isUnfinished = ({ Status }: Pick<Delivery, 'Status'>): boolean => Status === 'pending'

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

export const healthQuery = (webhookId: number) =>
  queryOptions({
    queryKey: [...queryKeys.events, 'health', webhookId],
    queryFn: ({ signal }) => zoetrope.webhooks.health(webhookId, { signal }),
    refetchInterval: idleMs,
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
