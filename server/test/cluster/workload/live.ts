import { setTimeout as delay } from 'node:timers/promises'
import { makeFilm, type Ingest } from '../../kill/live-publisher.ts'
import { startShow, type Show, type ShowSettings } from '../../kill/live-scenario.ts'
import type { World } from './world.ts'

export interface LiveWorkload {
  readonly shows: readonly Show[]
  /** Ends the broadcasts. */
  readonly stopPublishers: () => Promise<void>
  readonly stopPlayers: () => Promise<void>
}

/** One with recordings and a DVR window, one without. */
const settings: readonly ShowSettings[] = [
  { UseLowLatency: true, AutoRecording: true, TimeshiftDuration: 60, ReconnectWindow: 60 },
  { UseLowLatency: false, AutoRecording: true, ReconnectWindow: 30 },
]
const untilNextActMs = [25_000, 60_000] as const
const awayMs = [500, 8_000] as const
const stopsOneIn = 3
const probeMs = 500
/** A player that has not seen anything new for so long stands still. */
const stillMs = 8_000

/** Violations that a fault explains: a viewer had to wait, or saw the stamps of a clock that was stepped. */
const isInterruption = (text: string): boolean =>
  /stuck at|finds no playlist|: (?:broken|404|429|5\d\d) |by the stamps|the clock leaps/.test(text)

const watch = async ({ journal, over }: World, show: Show): Promise<void> => {
  const { player, publisher } = show
  while (!over.aborted) {
    await delay(probeMs, null, { signal: over }).catch(() => {})
    const sinceMs = publisher.sendingSinceMs()
    if (sinceMs === null || performance.now() - sinceMs < stillMs) continue
    const { sinceNewestMs } = player.figures()
    journal.write({
      kind: 'probe',
      probe: 'live',
      isGood: sinceNewestMs < stillMs,
      // A player that finds no playlist knows no newest part.
      tookMs: Math.round(Math.min(sinceNewestMs, performance.now() - sinceMs)),
    })
  }
}

const disturb = async ({ random, over, journal }: World, { publisher, projectId }: Show): Promise<void> => {
  while (!over.aborted) {
    await delay(random.between(...untilNextActMs), null, { signal: over }).catch(() => {})
    const sinceMs = publisher.sendingSinceMs()
    if (sinceMs === null || over.aborted) continue
    journal.write({ kind: 'published', projectId, seconds: (performance.now() - sinceMs) / 1_000 })
    if (random.next() < 1 / stopsOneIn) publisher.unpublish(random.between(...awayMs))
    else publisher.breakOff(random.between(...awayMs))
  }
}

/** Publishers that come and go, and a viewer for each. `call` sends one request as the administrator. */
export const startLive = async (
  world: World,
  call: Parameters<typeof startShow>[0]['call'],
  ingests: readonly [Ingest, ...Ingest[]],
  mayFail: () => boolean,
): Promise<LiveWorkload> => {
  const { journal, over } = world
  const film = await makeFilm()
  const shows: Show[] = []
  for (const one of settings)
    shows.push(
      await startShow(
        { call },
        {
          ingests,
          film,
          settings: one,
          mayFail,
          onFault: (projectId, text) => {
            const kind = mayFail() && isInterruption(text) ? 'interrupted' : 'wrong'
            // Some end with the whole playlist.
            const [line = ''] = text.split('\n')
            journal.write({ kind, text: `live ${projectId}: ${line.slice(0, 300)}` })
          },
        },
      ),
    )
  for (const show of shows) {
    void watch(world, show)
    void disturb(world, show)
  }
  return {
    shows,
    stopPublishers: async () => {
      if (!over.aborted) throw new Error('the chaos is not over')
      for (const { publisher, projectId } of shows) {
        const sinceMs = publisher.sendingSinceMs()
        if (sinceMs !== null)
          journal.write({ kind: 'published', projectId, seconds: (performance.now() - sinceMs) / 1_000 })
      }
      await Promise.all(shows.map(({ publisher }) => publisher.stop()))
    },
    stopPlayers: async () => {
      await Promise.all(shows.map(({ player }) => player.stop()))
    },
  }
}
