import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'

export type LiveStatus = Awaited<ReturnType<typeof zoetrope.live.status>>
export type LiveIngest = Awaited<ReturnType<typeof zoetrope.live.ingest>>
export type LiveOutput = Awaited<ReturnType<typeof zoetrope.live.output>>
export type LiveTarget = Awaited<ReturnType<typeof zoetrope.live.targets>>['Targets'][number]

/** Polling interval for figures, which no event reports. Polls only while the page is visible. */
const figuresEveryMs = 2_000
/** Polling interval until a live node has applied a change. */
const unsyncedEveryMs = 1_000

export const statusQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...queryKeys.live(projectId), 'status'],
    queryFn: ({ signal }) => zoetrope.live.status(projectId, { signal }),
    refetchInterval: figuresEveryMs,
  })

export const ingestQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...queryKeys.live(projectId), 'ingest'],
    queryFn: ({ signal }) => zoetrope.live.ingest(projectId, { signal }),
    // The client stores the ETag by object identity, so the object must not be copied.
    structuralSharing: false,
    refetchInterval: ({ state }) => (state.data?.IsSynced === false ? unsyncedEveryMs : false),
  })

export const outputQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...queryKeys.live(projectId), 'output'],
    queryFn: ({ signal }) => zoetrope.live.output(projectId, { signal }),
  })

export const targetsQuery = (projectId: number) =>
  queryOptions({
    queryKey: [...queryKeys.live(projectId), 'targets'],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.live.targets(projectId, { limit: 100, sort: 'asc' }, { signal })
      return page.Targets
    },
  })
