import { Agent } from 'undici'
import { createViewerKeys } from './edge-viewers.ts'
import type { LiveAccess } from './live-access.ts'
import { connectMs, nodeTokenHeader, sharedHeader } from './pass-on.ts'

/** What a player reports about a live stream. */
export interface LivePlayer {
  readonly address: string | undefined
  readonly userAgent: string | undefined
  /** Random, and known to this page only. */
  readonly session: string
  readonly isPlaying: boolean
  /** Null when the player does not report it. */
  readonly latencyMs: number | null
}

/** Key of address and user agent, session, latency, and 1 if it plays. */
export type NamedPlayer = readonly [key: number, session: string, latencyMs: number | null, isPlaying: 0 | 1]

export interface LivePlayers {
  readonly see: (playoutId: string, player: LivePlayer) => void
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

const flushEveryMs = 1_000
const patienceMs = 5_000
const mostPerRequest = 500
const mostWaiting = 20_000

/**
 * Passes what players report on to the live node that has their stream, which counts viewers and their latency. A report that is lost is
 * replaced by the next one of the player.
 */
export const createLivePlayers = ({
  access,
  token,
  log,
}: {
  readonly access: Pick<LiveAccess, 'factsOf'>
  readonly token: string
  readonly log: { readonly debug: (fields: object, message: string) => void }
}): LivePlayers => {
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  })
  const viewerKey = createViewerKeys(token)
  let waiting = new Map<string, Map<string, NamedPlayer>>()
  let count = 0

  const send = async (playoutId: string, players: readonly NamedPlayer[]): Promise<void> => {
    const node = (await access.factsOf(playoutId))?.node ?? null
    if (node === null) return
    for (let start = 0; start < players.length; start += mostPerRequest) {
      const answer = await agent.request({
        origin: node.url,
        path: `/l/${playoutId}/beacon`,
        method: 'POST',
        headers: { 'content-type': 'application/json', [nodeTokenHeader]: token, [sharedHeader]: '1' },
        body: JSON.stringify(players.slice(start, start + mostPerRequest)),
      })
      await answer.body.dump()
    }
  }
  const flush = async (): Promise<void> => {
    const taken = waiting
    waiting = new Map()
    count = 0
    await Promise.all(
      [...taken].map(([playoutId, players]) =>
        send(playoutId, [...players.values()]).catch((error: unknown) =>
          log.debug({ playoutId, err: error }, 'cannot pass the reports of players on to the live node'),
        ),
      ),
    )
  }
  const timer = setInterval(() => void flush(), flushEveryMs).unref()

  return {
    see: (playoutId, { address, userAgent, session, isPlaying, latencyMs }) => {
      const players = waiting.get(playoutId) ?? new Map<string, NamedPlayer>()
      const key = viewerKey(address, userAgent)
      const name = `${key} ${session}`
      if (!players.has(name) && (count += 1) > mostWaiting) return
      waiting.set(playoutId, players)
      players.set(name, [key, session, latencyMs, isPlaying ? 1 : 0])
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await agent.destroy()
    },
  }
}
