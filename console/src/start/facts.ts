import type { MediaFile } from '@zoetrope/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan, useSession } from '../shell/session.ts'
import { tick, type StepName } from './kept-ticks.ts'

/** Names of the keys that the first start creates. */
const firstKeys = new Set(['First key', 'Command line of the first machine'])
/** The video that the first start creates. */
export const isSample = ({ Name, Metadata }: MediaFile): boolean =>
  Name.endsWith('/sample.mp4') && Metadata.Title === 'Sample video'

/** The first file of the first project, which is the sample in a new installation. Null = none. */
export const firstFileQuery = {
  queryKey: [...queryKeys.events, 'first-file'],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<MediaFile | null> => {
    const { Projects } = await zoetrope.projects.list({ limit: 1, sort: 'asc' }, { signal })
    const [project] = Projects
    if (project === undefined) return null
    const { Files } = await zoetrope.files.list(project.Id, { limit: 1, sort: 'asc' }, { signal })
    return Files[0] ?? null
  },
}

export const webhooksQuery = {
  queryKey: [...queryKeys.webhooks, 'first-steps'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { Webhooks } = await zoetrope.webhooks.list({ limit: 5 }, { signal })
    return Webhooks
  },
}

const hasDeliveryQuery = (webhookIds: readonly number[]) => ({
  queryKey: [...queryKeys.events, 'delivered', webhookIds],
  queryFn: async ({ signal }: { signal: AbortSignal }): Promise<boolean> => {
    for (const webhookId of webhookIds) {
      const query = { status: 'delivered', event: 'file.new', limit: 1 }
      const { TotalCount } = await zoetrope.webhooks.deliveries(webhookId, query, { signal })
      if (TotalCount > 0) return true
    }
    return false
  },
  // The delivery finishes shortly after its event.
  refetchInterval: 2_000,
})

/** Completes the steps that the server knows to be done. */
export const useFacts = (ticks: readonly StepName[]): void => {
  const { User } = useSession()
  const can = useCan()
  const isOpen = (name: StepName): boolean => !ticks.includes(name)
  const { data: files = 0 } = useQuery({
    queryKey: [...queryKeys.events, 'file-count'],
    queryFn: async ({ signal }) => {
      const { Projects } = await zoetrope.projects.list({ limit: 500 }, { signal })
      return Projects.reduce((sum, { FileCount }) => sum + FileCount, 0)
    },
    enabled: isOpen('upload'),
  })
  const { data: first } = useQuery(firstFileQuery)
  const { data: hasKey = false } = useQuery({
    queryKey: [...queryKeys.apiKeys, 'first-steps'],
    queryFn: async ({ signal }) => {
      const { ApiKeys } = await zoetrope.apiKeys.list({ limit: 10, isEnabled: true }, { signal })
      return ApiKeys.some(({ Label }) => !firstKeys.has(Label))
    },
    enabled: can('keys:read') && isOpen('key'),
  })
  const { data: webhooks = [] } = useQuery({ ...webhooksQuery, enabled: can('webhooks:read') })
  const { data: hasDelivery = false } = useQuery({
    ...hasDeliveryQuery(webhooks.map(({ Id }) => Id)),
    enabled: webhooks.length > 0 && isOpen('webhook'),
  })
  const { data: wasLive = false } = useQuery({
    queryKey: [...queryKeys.events, 'was-live'],
    queryFn: async ({ signal }) => {
      const { Events } = await zoetrope.events.list({ event: 'live.started', limit: 1 }, { signal })
      return Events.length > 0
    },
    enabled: isOpen('live'),
  })
  // The sample does not count as an upload, so the first file must be known.
  const hasUploaded = first !== undefined && files > (first !== null && isSample(first) ? 1 : 0)
  useEffect(() => {
    const facts: readonly (readonly [StepName, boolean])[] = [
      ['upload', hasUploaded],
      ['key', hasKey],
      ['webhook', hasDelivery],
      ['live', wasLive],
    ]
    tick(
      User.Id,
      facts.filter(([, isDone]) => isDone).map(([name]) => name),
    )
  }, [User.Id, hasUploaded, hasKey, hasDelivery, wasLive])
}
