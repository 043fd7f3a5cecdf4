import type { WebhookEvent } from '@zoetrope/sdk'
import { zoetrope } from './api.ts'
import { queryClient, queryKeys } from './query.ts'

/** Which answers an event makes stale. */
const staleKeys = (event: WebhookEvent): readonly (readonly unknown[])[] => {
  const { ProjectId: projectId } = event
  const subject = event.Event.split('.', 1)[0]
  const keys: (readonly unknown[])[] = [queryKeys.events]
  if (subject === 'project') keys.push(queryKeys.projects)
  if (subject === 'playlist') keys.push(queryKeys.playlists)
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

/** A hundred uploads are a thousand events, and a list need not be asked for more than a few times a second. */
const markStale = (event: WebhookEvent): void => {
  for (const key of staleKeys(event)) stale.set(JSON.stringify(key), key)
  gathering ??= setTimeout(() => {
    gathering = null
    const keys = [...stale.values()]
    stale.clear()
    for (const queryKey of keys) void queryClient.invalidateQueries({ queryKey })
  }, gatherMs)
}

/**
 * HTTP/1.1 gives a browser six connections to a host: one tab follows the events and tells the others; when it is closed the next one takes
 * the lock. Ends when the session does. Tabs of somebody else, who has signed in meanwhile, hear nothing of it.
 */
export const followEvents = async (userId: number, signal: AbortSignal): Promise<void> => {
  const name = `zoetrope-events-${userId}`
  const channel = new BroadcastChannel(name)
  signal.addEventListener('abort', () => channel.close())
  channel.addEventListener('message', ({ data }: MessageEvent<WebhookEvent>) => markStale(data))
  const follow = async (): Promise<void> => {
    // What came between two streams nobody told of.
    await queryClient.invalidateQueries()
    for await (const event of zoetrope.events.stream({ signal })) {
      markStale(event)
      channel.postMessage(event)
    }
  }
  try {
    // A page without https, but on the machine itself, has no locks: there each tab follows by itself.
    if ('locks' in navigator) await navigator.locks.request(name, { signal }, follow)
    else await follow()
  } catch {
    // It has ended, or the stream was refused: then perhaps nobody is signed in any more.
    if (!signal.aborted) await queryClient.invalidateQueries({ queryKey: queryKeys.session })
  }
}
