import type { MediaFile } from '@zoetrope/sdk'
import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'

/** More webhooks than this in one account are rare; their own screens show the rest. */
const maxWebhooks = 20

const underWay = new Set(['pending', 'waiting'])

/** What became of the events of this file at each webhook. The API tells by webhook, not by event. */
export const deliveriesQuery = (file: MediaFile, newestEventId: number) =>
  queryOptions({
    queryKey: [...queryKeys.webhooks, 'deliveries of file', file.Id, newestEventId],
    queryFn: async ({ signal }) => {
      const { Webhooks } = await zoetrope.webhooks.list({ limit: maxWebhooks }, { signal })
      const lists = await Promise.all(
        Webhooks.map(async ({ Id, Label, TargetURL }) => {
          const query = { fileId: String(file.Id), limit: 100 }
          const { Deliveries } = await zoetrope.webhooks.deliveries(Id, query, { signal })
          return Deliveries.map((delivery) => ({ ...delivery, target: Label || new URL(TargetURL).host }))
        }),
      )
      return Map.groupBy(lists.flat(), ({ EventId }) => EventId)
    },
    // A map is not compared field by field.
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      [...(state.data?.values() ?? [])].flat().some(({ Status }) => underWay.has(Status)) ? 3_000 : false,
  })
