import type { WebhookEvent } from '@zoetrope/sdk'
import { zoetrope } from './api.ts'
import { queryClient, queryKeys } from './query.ts'

const staleKeys = (event: WebhookEvent): readonly (readonly unknown[])[] => {
  // No list shows single views, and there may be many a second.
  if (event.Event === 'view.ended') return []
  const { ProjectId: projectId } = event
  const subject = event.Event.split('.', 1)[0]
  const keys: (readonly unknown[])[] = [queryKeys.events]
  if (subject === 'project') keys.push(queryKeys.projects)
  if (subject === 'playlist') keys.push(queryKeys.playlists)
  if (subject === 'analytics') keys.push(queryKeys.alerts)
  if (subject === 'webhook') keys.push(queryKeys.webhooks)
  if (projectId === null) return keys
  if (subject === 'live' || subject === 'recording') keys.push(queryKeys.live(projectId), queryKeys.projects)
  if (subject === 'file' && event.File !== undefined)
    keys.push(queryKeys.files(projectId), queryKeys.file(projectId, event.File.Id))
  return keys
}

const gatherMs = 300
const stale = new Map<string, readonly unknown[]>()
let gathering: ReturnType<typeof setTimeout> | null = null

/** Batches invalidations: a hundred uploads are a thousand events, but a list needs few requests a second. */
const markStale = (event: WebhookEvent): void => {
  for (const key of staleKeys(event)) stale.set(JSON.stringify(key), key)
  gathering ??= setTimeout(() => {
    gathering = null
    const keys = [...stale.values()]
    stale.clear()
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }, gatherMs)
}

/** A lock that another tab holds takes longer. */
const freeLockMs = 1_000
let isFirst = true

/**
 * HTTP/1.1 gives a browser six connections to a host, so one tab follows the events and forwards them to the
 * others. When it closes, the next tab takes the lock. Ends with the session; tabs of other users receive no
 * events.
 */
export const followEvents = async (userId: number, signal: AbortSignal): Promise<void> => {
  const name = `zoetrope-events-${userId}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  channel.addEventListener('message', ({ data }: MessageEvent<WebhookEvent>) => markStale(data))
  const askedMs = performance.now()
  const follow = async (): Promise<void> => {
    // Events between two streams are lost, so everything is reloaded. A new page is loading everything already.
    const isNewPage = isFirst && performance.now() - askedMs < freeLockMs
    isFirst = false
    if (!isNewPage) await queryClient.invalidateQueries()
    for await (const event of zoetrope.events.stream({ signal })) {
      markStale(event)
      channel.postMessage(event)
    }
  }
  try {
    // Pages without https have no Web Locks, except on localhost: there, each tab follows the events itself.
    if ('locks' in navigator) await navigator.locks.request(name, { signal }, follow)
    else await follow()
  } catch {
    // The stream ended or was refused, possibly because the session has ended.
    if (!signal.aborted) await queryClient.invalidateQueries({ queryKey: queryKeys.session })
  }
}
