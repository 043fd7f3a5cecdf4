import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/platform/db/database.ts'
import { removeGarbage } from '../../src/library/files/media/remove-garbage.ts'
import { findFreePort } from '../support/free-port.ts'
import { s3Settings, startS3Server } from '../support/s3-server.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'
import { createInstallation, type Installation } from './installation.ts'
import { takeCensus } from './live-census.ts'
import type { SeenPlaylist } from './live-playlist.ts'
import { startPoller, type PlaylistPoller } from './live-poller.ts'
import { makeFilm } from './live-publisher.ts'
import { startShow, stateOf, type Show } from './live-scenario.ts'
import { startNodeElsewhere, startSecondLiveNode } from './second-live-node.ts'

const host = '127.0.0.1'
let installation: Installation
let receiver: WebhookReceiver
let rtmpPort: number

beforeAll(async () => {
  rtmpPort = await findFreePort()
  installation = await createInstallation({ ZOETROPE_RTMP_PORT: String(rtmpPort) })
  receiver = await startWebhookReceiver()
  await installation.start()
})

afterAll(async () => {
  await receiver.stop()
  await installation.remove()
})

/** Long enough for finished segments, not only the current one, to be at risk. */
const playMs = 1_500
const awayMs = 500

test('viewers, events and recordings of live streams survive a lost publisher and kill -9 of the node', async () => {
  const hook = await installation.call('POST', '/modules/notifications', {
    TargetURL: receiver.url,
    EventTypes: ['live.*', 'recording.*'],
  })
  const faults: string[] = []
  let isKilled = false
  const film = await makeFilm()
  const open = (settings: Show['settings']) =>
    startShow(installation, {
      ingests: [{ host, port: rtmpPort }],
      film,
      settings,
      mayFail: () => isKilled,
      onFault: (projectId, fault) => faults.push(`project ${projectId}: ${fault}`),
    })
  const shows = [await open({ AutoRecording: true, TimeshiftDuration: 120 }), await open({})]
  const [first] = shows
  const untilAllPlay = (takenCounts: readonly number[]) =>
    waitFor(
      async () =>
        shows.every(({ publisher, player }, index) => {
          const sinceMs = publisher.sendingSinceMs()
          const { sinceNewestMs } = player.figures()
          const isNew = sinceMs !== null && sinceNewestMs < performance.now() - sinceMs
          return publisher.takenCount() === takenCounts[index] && isNew && sinceNewestMs < 1_000
        }),
      (isThere) => isThere,
    )

  await untilAllPlay([1, 1])
  await delay(playMs)
  first!.publisher.breakOff(awayMs)
  await untilAllPlay([2, 1])
  await delay(playMs)
  isKilled = true
  await installation.killAndRecover('live')
  await untilAllPlay([3, 2])
  isKilled = false
  await delay(playMs)

  await Promise.all(shows.map(({ publisher }) => publisher.stop()))
  await waitFor(
    () => Promise.all(shows.map((show) => stateOf(installation, show))),
    (states) => states.every((state) => state === 'offline'),
  )
  await Promise.all(shows.map(({ player }) => player.stop()))
  const census = await takeCensus(installation, receiver, hook.body.Id)
  expect([...faults, ...census.faults]).toEqual([])
  expect(shows.map(({ projectId }) => census.returns.get(projectId))).toEqual([2, 1])
  const seen = shows.map(({ player }) => player.figures())
  expect(seen.map(({ breaks }) => breaks)).toEqual([2, 1])
  // Parts last 167 ms, and each player plays for at least three times `playMs`.
  expect(Math.min(...seen.map(({ pieces }) => pieces))).toBeGreaterThanOrEqual((3 * playMs) / 300)
  // The recording of the killed node becomes a separate file.
  expect(census).toMatchObject({ broadcasts: 2, recordings: 2 })
})

test('the live status shows kill -9 of the node before the next node runs', async () => {
  const faults: string[] = []
  const show = await startShow(installation, {
    ingests: [{ host, port: rtmpPort }],
    film: await makeFilm(),
    settings: {},
    mayFail: () => true,
    onFault: (_projectId, fault) => faults.push(fault),
  })
  const { projectId, publisher, player } = show
  const untilNewSince = (ms: number, takenCount: number) =>
    waitFor(
      async () =>
        publisher.takenCount() === takenCount && player.figures().sinceNewestMs < performance.now() - ms,
      (isNew) => isNew,
    )
  await untilNewSince(performance.now(), 1)
  await delay(playMs)
  const killedMs = performance.now()
  process.kill(await installation.findRole('live'), 'SIGKILL')
  await waitFor(
    () => stateOf(installation, show),
    (state) => state === 'reconnecting',
  )
  await untilNewSince(killedMs + 100, 2)
  await publisher.stop()
  await player.stop()
  const { body } = await installation.call('GET', `/events?projectId=${projectId}&event=live.*&limit=100`)
  const atOf = (name: string): number =>
    Date.parse(body.Events.find(({ Event }: { Event: string }) => Event === name).OccurredAt)
  const [node] = await readNodes(installation)
  expect(atOf('live.disconnected')).toBeLessThan(node!.started_at.getTime())
  expect(faults).toEqual([])
})

const readNodes = async (of: Installation) => {
  const database = openDatabase(await of.connection(), { maxConnections: 1 })
  try {
    return await database.kysely.selectFrom('live_nodes').select('started_at').execute()
  } finally {
    await database.close()
  }
}

describe('a live node without a supervisor', () => {
  /** Publishes to a second node, and to the first one after each reconnect, and plays through the api. */
  const startOnSecondNode = async (where: { readonly isElsewhere: boolean }) => {
    const node = await startSecondLiveNode(installation, where)
    onTestFinished(node.kill)
    const faults: string[] = []
    const show = await startShow(installation, {
      ingests: [
        { host, port: node.rtmpPort },
        { host, port: rtmpPort },
      ],
      film: await makeFilm(),
      settings: { AutoRecording: true, TimeshiftDuration: 120 },
      mayFail: () => true,
      onFault: (_projectId, fault) => faults.push(fault),
    })
    onTestFinished(() => show.publisher.stop())
    await waitFor(
      () => stateOf(installation, show),
      (state) => state === 'online',
    )
    const base = show.url.slice(0, show.url.lastIndexOf('/'))
    const poller = startPoller(`${base}/video/live.m3u8`)
    onTestFinished(poller.stop)
    await waitFor(
      async () => poller.newest(),
      (playlist) => (playlist?.segments.length ?? 0) > 3,
    )
    return { ...show, node, faults, poller, base, before: poller.newest()! }
  }
  const breaksOf = ({ segments }: SeenPlaylist) => segments.filter(({ isBreak }) => isBreak)
  const untilContinued = (poller: PlaylistPoller) =>
    waitFor(
      async () => poller.newest(),
      (playlist) => breaksOf(playlist!).length > 0,
    )

  test('is replaced after kill -9 without a failed request, with the window from before', async () => {
    const { node, publisher, player, poller, base, before, faults, projectId } = await startOnSecondNode({
      isElsewhere: false,
    })
    await node.kill()
    const playlist = await untilContinued(poller)
    await delay(playMs)
    await publisher.stop()
    await waitFor(
      async () => poller.newest(),
      (newest) => newest!.hasEnded,
    )
    await Promise.all([player.stop(), poller.stop()])
    expect(poller.failures).toEqual([])
    expect(faults).toEqual([])
    expect(playlist!.firstNumber).toBe(before.firstNumber)
    expect(breaksOf(playlist!)).toHaveLength(1)
    const old = await fetch(`${base}/video/${before.segments[0]!.uri}`)
    expect(old.status).toBe(200)
    expect(poller.longestWaitMs()).toBeLessThan(10_000)
    const { body } = await waitFor(
      () => installation.call('GET', `/projects/${projectId}/live/recordings`),
      (answer) => answer.body.Recordings.every(({ State }: { State: string }) => State === 'finished'),
    )
    expect(body.Recordings).toHaveLength(2)
  })

  test('does not disturb the stream when it was paused and replaced', async () => {
    const { node, publisher, player, poller, base, before, faults, projectId } = await startOnSecondNode({
      isElsewhere: true,
    })
    node.signal('SIGSTOP')
    publisher.breakOff(200)
    const playlist = await untilContinued(poller)
    node.signal('SIGCONT')
    await delay(2 * playMs)
    await Promise.all([player.stop(), poller.stop()])
    expect(poller.failures).toEqual([])
    expect(faults).toEqual([])
    expect(breaksOf(playlist!)).toHaveLength(1)
    expect(breaksOf(poller.newest()!)).toHaveLength(1)
    // On a busy machine, the oldest segments may have left the window meanwhile.
    expect(playlist!.firstNumber).toBeGreaterThanOrEqual(before.firstNumber)
    expect(playlist!.firstNumber).toBeLessThan(before.firstNumber + before.segments.length)
    // The media storage has the window of the node elsewhere.
    const old = await fetch(`${base}/video/${playlist!.segments[0]!.uri}`)
    expect(old.status).toBe(200)
    const { body } = await installation.call('GET', `/events?projectId=${projectId}&event=live.*&limit=100`)
    expect(body.Events.map(({ Event }: { Event: string }) => Event)).toEqual([
      'live.reconnected',
      'live.disconnected',
      'live.started',
      'live.connected',
    ])
  })
})

describe('on two live nodes that share only the database and the bucket,', () => {
  let s3: Awaited<ReturnType<typeof startS3Server>>
  let server: TestServer
  let nodes: Awaited<ReturnType<typeof startNodeElsewhere>>[] = []

  beforeAll(async () => {
    s3 = await startS3Server()
    if ('unavailable' in s3) return
    const environment = s3Settings(s3)
    server = await startTestServer({ withWorker: true, environment })
    nodes = await Promise.all([1, 2].map(() => startNodeElsewhere(server, environment)))
  })

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.remove()))
    if ('unavailable' in s3) return
    await server.stop()
    await s3.stop()
  })

  test('a recording is one file after kill -9 of its node, which then comes back', async (context) => {
    if ('unavailable' in s3) return context.skip(s3.unavailable)
    const [one, other] = nodes as [(typeof nodes)[0], (typeof nodes)[0]]
    const api = {
      call: (method: string, path: string, body?: object) =>
        server.call(method, path, body === undefined ? {} : { body }),
    }
    const show = await startShow(api, {
      ingests: [
        { host, port: one.rtmpPort },
        { host, port: other.rtmpPort },
      ],
      film: await makeFilm(),
      settings: { AutoRecording: true },
      mayFail: () => true,
      onFault: () => {},
    })
    const { publisher, player, projectId } = show
    onTestFinished(() => publisher.stop())
    await waitFor(
      () => stateOf(api, show),
      (state) => state === 'online',
    )
    const path = `${new URL(show.url).pathname.replace(/[^/]*$/, '')}video/live.m3u8`
    const poller = startPoller(server.url + path)
    onTestFinished(poller.stop)
    await waitFor(
      async () => poller.newest(),
      (playlist) => (playlist?.segments.length ?? 0) > 3,
    )
    const { url: ownerUrl } = await server.services.database.kysely
      .selectFrom('live_streams')
      .innerJoin('live_nodes', 'live_nodes.id', 'live_streams.node_id')
      .select('live_nodes.url')
      .where('live_streams.project_id', '=', projectId)
      .executeTakeFirstOrThrow()
    // A busy machine may refuse the first attempt of the publisher, which then goes to the other node.
    const owner = one.url === ownerUrl ? one : other
    const startedMs = publisher.sendingSinceMs()!
    const killedMs = performance.now()
    await owner.kill()
    await waitFor(
      async () => poller.newest(),
      (playlist) => playlist!.segments.some(({ isBreak }) => isBreak),
    )
    await owner.start()
    const backMs = await waitFor(
      async () => publisher.sendingSinceMs() ?? 0,
      (sinceMs) => sinceMs > killedMs,
    )
    await delay(2 * playMs)
    // While the broadcast lasts: after its end, the playlist answers 404.
    await poller.stop()
    const endedMs = performance.now()
    await publisher.stop()
    await player.stop()
    expect(poller.failures).toEqual([])
    expect(poller.longestWaitMs()).toBeLessThan(10_000)

    const { body } = await waitFor(
      () => api.call('GET', `/projects/${projectId}/live/recordings`),
      (answer) => answer.body.Recordings.every(({ State }: { State: string }) => State === 'finished'),
    )
    expect(body.Recordings).toHaveLength(1)
    const [recording] = body.Recordings
    const { body: file } = await waitFor(
      () => api.call('GET', `/projects/${projectId}/files/${recording.FileId}`),
      (answer) => answer.body.IsPlayable === true,
    )
    const publishedSeconds = (killedMs - startedMs + endedMs - backMs) / 1_000
    const longestSegmentSeconds = 2
    expect(file.Properties.Length).toBeGreaterThan(publishedSeconds - longestSegmentSeconds - 1)
    expect(file.Properties.Length).toBeLessThan(publishedSeconds + 0.5)

    const { blobs, database } = server.services
    await database.sql`update discarded_media set remove_after = now()`
    await removeGarbage({ database: server.workerDatabase, blobs })
    expect(await blobs.list('live/recordings/')).toEqual([])
  })
})
