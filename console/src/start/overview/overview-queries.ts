import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { alertsQuery } from '../../analytics/alerts/alert-queries.ts'
import { isInWork } from '../../library/file-status.tsx'
import { statusQuery } from '../../live/live-queries.ts'
import { healthQuery, type Health, type Webhook } from '../../notifications/webhook-queries.ts'
import { allProjects } from '../../projects/all-projects.ts'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'

/** Older failures are known, and stay in the library. */
const recentMs = 14 * 24 * 3_600_000
const hourMs = 3_600_000
const maxFailed = 4
/** The list is sorted by trouble, so later ones are healthy. */
const maxWebhooks = 4
const maxAlerts = 4
const maxStreams = 6
const fullShare = 0.9
/** No event reports each percent. */
const progressMs = 3_000

/** Rounded to an hour, so that the query stays the same. */
const recently = (): string => new Date(Math.floor((Date.now() - recentMs) / hourMs) * hourMs).toISOString()

export const failedQuery = () => {
  const query = { hasErrors: true, limit: maxFailed, updatedFrom: recently(), orderBy: 'updated' } as const
  return queryOptions({
    queryKey: [...queryKeys.events, 'failed-files', query],
    queryFn: async ({ signal }) => zoetrope.files.listAll(query, { signal }),
  })
}

export const queueQuery = queryOptions({
  queryKey: [...queryKeys.events, 'overview-queue'],
  queryFn: async ({ signal }) => zoetrope.usage.listEncodings({ limit: 3 }, { signal }),
  refetchInterval: ({ state }) => ((state.data?.TotalCount ?? 0) > 0 ? progressMs : false),
})

export const recentQuery = queryOptions({
  queryKey: [...queryKeys.events, 'recent-files'],
  queryFn: async ({ signal }) => zoetrope.files.listAll({ limit: 6 }, { signal }),
  refetchInterval: ({ state }) => (state.data?.Files.some(isInWork) === true ? progressMs : false),
})

export const firingQuery = queryOptions({
  ...alertsQuery({ state: 'firing', limit: maxAlerts }),
  select: ({ Alerts }) => Alerts,
})

export const storageQuery = queryOptions({
  queryKey: [...queryKeys.usage, 'overview'],
  queryFn: ({ signal }) => zoetrope.usage.get({ days: 30 }, { signal }),
})

const worstWebhooksQuery = queryOptions({
  queryKey: [...queryKeys.webhooks, 'by-health'],
  queryFn: async ({ signal }) => {
    const { Webhooks } = await zoetrope.webhooks.list({ orderBy: 'health', limit: maxWebhooks }, { signal })
    return Webhooks
  },
})

const isTrouble = ({ Status, DisabledReason }: Health): boolean =>
  Status === 'disabled' ? DisabledReason !== null : Status !== 'ok'

interface TroubledWebhook {
  readonly webhook: Webhook
  readonly health: Health
}

const useWorstWebhooks = () => {
  const can = useCan()
  const mayRead = can('webhooks:read')
  const { data: webhooks = [], isPending } = useQuery({ ...worstWebhooksQuery, enabled: mayRead })
  const healths = useQueries({ queries: webhooks.map(({ Id }) => healthQuery(Id)) })
  return { webhooks, healths, isPending: mayRead && (isPending || healths.some((one) => one.isPending)) }
}

export const useTroubledWebhooks = (): readonly TroubledWebhook[] => {
  const { webhooks, healths } = useWorstWebhooks()
  return webhooks.flatMap((webhook, place) => {
    const health = healths[place]?.data
    return health !== undefined && isTrouble(health) ? [{ webhook, health }] : []
  })
}

/** The status of each stream that is on air. */
export const useLiveStreams = () => {
  const { data: projects = [] } = useQuery(allProjects)
  const live = projects.filter(({ IsLive }) => IsLive)
  const statuses = useQueries({ queries: live.slice(0, maxStreams).map(({ Id }) => statusQuery(Id)) })
  return live.map((project, place) => ({ project, status: statuses[place]?.data ?? null }))
}

/** Projects that have used most of their quota. */
export const useFullProjects = () => {
  const { data: projects = [] } = useQuery(allProjects)
  return projects.flatMap(({ Id, Name, StorageBytes, StorageQuotaBytes: quotaBytes }) => {
    if (quotaBytes === null) return []
    const share = quotaBytes === 0 ? 1 : StorageBytes / quotaBytes
    return share >= fullShare ? [{ id: Id, name: Name, share, quotaBytes }] : []
  })
}

/** Cards that grow one after the other would move those below, so all appear at once. */
export const useIsReady = (): boolean => {
  const pending = [
    useQuery(allProjects).isPending,
    useQuery(failedQuery()).isPending,
    useQuery(queueQuery).isPending,
    useQuery(recentQuery).isPending,
    useQuery(firingQuery).isPending,
    useQuery(storageQuery).isPending,
    useWorstWebhooks().isPending,
  ]
  return !pending.includes(true)
}
