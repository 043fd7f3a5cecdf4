import type { MediaFile, WebhookEvent } from '@zoetrope/sdk'
import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'

/** More webhooks than this for one project are rare. Their own screens show the rest. */
const maxWebhooks = 20

const underWay = new Set(['pending', 'waiting'])

const pageSize = 500

/**
 * Loads the deliveries of these events at each webhook, newest first. The API lists deliveries by webhook,
 * not by event.
 */
export const deliveriesQuery = (
  file: MediaFile,
  events: readonly Pick<WebhookEvent, 'EventId' | 'OccurredAt'>[],
) => {
  const newest = events[0]
  const oldest = events.at(-1)
  // Both are written in one transaction, but their timestamps come from different clocks.
  const since =
    oldest === undefined ? {} : { createdFrom: new Date(Date.parse(oldest.OccurredAt) - 1_000).toISOString() }
  return queryOptions({
    queryKey: [...queryKeys.webhooks, 'deliveries of file', file.Id, newest?.EventId, oldest?.EventId],
    queryFn: async ({ signal }) => {
      const { Webhooks } = await zoetrope.webhooks.list({ limit: pageSize }, { signal })
      const subscribed = Webhooks.filter(
        ({ ProjectId }) => ProjectId === null || ProjectId === file.ProjectId,
      ).slice(0, maxWebhooks)
      const lists = await Promise.all(
        subscribed.map(async ({ Id, Label, TargetURL }) => {
          const query = { fileId: String(file.Id), limit: pageSize, ...since }
          const deliveries = await Array.fromAsync(zoetrope.webhooks.deliveries(Id, query, { signal }))
          return deliveries.map((delivery) => ({
            ...delivery,
            target: Label || new URL(TargetURL).host || TargetURL,
          }))
        }),
      )
      return Map.groupBy(lists.flat(), ({ EventId }) => EventId)
    },
    // Structural sharing does not support maps.
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      [...(state.data?.values() ?? [])].flat().some(({ Status }) => underWay.has(Status)) ? 3_000 : false,
  })
}
