import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findFreePort } from '../support/free-port.ts'
import { waitFor } from '../support/wait-for.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { createInstallation } from './installation.ts'
import { takeCensus } from './live-census.ts'
import { makeFilm } from './live-publisher.ts'
import { growthPerHour, sampleRoles, type Sample } from './live-samples.ts'
import { startShow, stateOf, type Show, type ShowSettings } from './live-scenario.ts'

/**
 * Runs a real installation with many watched streams under random kills of publishers and of the live node:
 * `node server/test/kill/live-soak.ts [--minutes 60] [--streams 10] [--kill-minutes 4]`. The node is not
 * killed in the last third, so that memory growth shows. Exits with 1 when anything was lost, stuck or left
 * over.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    streams: { type: 'string', default: '10' },
    'kill-minutes': { type: 'string', default: '4' },
  },
})
const minutes = Number(values.minutes)
const streams = Number(values.streams)
const killEveryMs = Number(values['kill-minutes']) * 60_000

let startedMs = performance.now()
const minutesNow = (): number => (performance.now() - startedMs) / 60_000
const say = (text: string): void => {
  process.stdout.write(`${text === '' ? '' : `${minutesNow().toFixed(2).padStart(6)}  `}${text}\n`)
}
const between = (least: number, most: number): number => least + Math.random() * (most - least)

/** Settings cycle with different periods, so that all combinations occur. */
const settingsOf = (index: number): ShowSettings => ({
  UseLowLatency: index % 5 !== 4,
  AutoRecording: index % 2 === 0,
  TimeshiftDuration: index % 3 === 0 ? 600 : 0,
  // A publisher that stays away longer finds its broadcast ended.
  ReconnectWindow: index % 4 === 3 ? 5 : 60,
})

/** Time for the node to restart and for its publishers to reconnect. */
const settlingMs = 20_000
const failingMs = 10_000
const awaySeconds = [0.5, 20] as const
const untilNextDropSeconds = [15, 60] as const
const stopsOneIn = 6

const rtmpPort = await findFreePort()
const installation = await createInstallation({ ZOETROPE_RTMP_PORT: String(rtmpPort) })
const receiver = await startWebhookReceiver()
const faults: string[] = []
const fail = (fault: string): void => {
  faults.push(fault)
  say(`FAULT ${fault}`)
}
let failsUntilMs = 0
const kills = { publishers: 0, stops: 0, node: 0, wholeAgainMs: [] as number[] }

await installation.start()
const hook = await installation.call('POST', '/modules/notifications', {
  TargetURL: receiver.url,
  EventTypes: ['live.*', 'recording.*'],
})
if (hook.status !== 201) throw new Error(`the webhook was not taken: ${JSON.stringify(hook.body)}`)

const film = await makeFilm()
const shows: Show[] = []
for (let index = 0; index < streams; index += 1)
  shows.push(
    await startShow(installation, {
      ingests: [{ host: '127.0.0.1', port: rtmpPort }],
      film,
      settings: settingsOf(index),
      mayFail: () => performance.now() < failsUntilMs,
      onFault: (projectId, fault) => fail(`project ${projectId}: ${fault}`),
    }),
  )

const isUp = ({ publisher, player }: Show): boolean =>
  publisher.sendingSinceMs() !== null && player.figures().sinceNewestMs < 5_000
const untilAllUp = () =>
  waitFor(
    async () => shows.filter((show) => !isUp(show)).map(({ projectId }) => projectId),
    (down) => down.length === 0,
    60_000,
    100,
  )

const stopping = new AbortController()
const pause = (ms: number) => delay(ms, null, { signal: stopping.signal }).catch(() => {})
const every = async (nextMs: () => number, work: () => Promise<void> | void): Promise<void> => {
  for (;;) {
    await pause(nextMs())
    if (stopping.signal.aborted) return
    await work()
  }
}

const dropPublishers = ({ publisher, settings }: Show) =>
  every(
    () => 1_000 * between(...untilNextDropSeconds),
    () => {
      if (publisher.sendingSinceMs() === null) return
      const awayMs = 1_000 * between(...awaySeconds)
      const isStop = Math.random() < 1 / stopsOneIn
      kills[isStop ? 'stops' : 'publishers'] += 1
      if (isStop) publisher.unpublish(awayMs)
      else publisher.breakOff(Math.min(awayMs, (settings.ReconnectWindow ?? 60) * 2_000))
    },
  )

const killNode = async (): Promise<void> => {
  if (minutesNow() > (minutes * 2) / 3) return
  failsUntilMs = performance.now() + failingMs
  const { readyMs } = await installation.killAndRecover('live')
  kills.node += 1
  kills.wholeAgainMs.push(readyMs)
  say(`kill -9 of the node, another one runs after ${(readyMs / 1_000).toFixed(1)} s`)
}

/**
 * Measures the lag of this process: on an overloaded machine, players miss media through no fault of the
 * server.
 */
const lateness = monitorEventLoopDelay()
lateness.enable()

const samples: Sample[] = []
let worstLateMs = 0
const sample = async (): Promise<void> => {
  const now = await sampleRoles(installation, minutesNow())
  samples.push(...now)
  const lateMs = lateness.max / 1e6
  lateness.reset()
  worstLateMs = Math.max(worstLateMs, lateMs)
  const cells = now.map(
    ({ role, megabytes, descriptors }) => `${role} ${megabytes.toFixed(0)} MB ${descriptors} fd`,
  )
  const up = shows.filter(isUp).length
  say(`${cells.join(', ')}; ${up} of ${streams} play; own delay ${lateMs.toFixed(0)} ms`)
}

await untilAllUp()
say(`${streams} streams play`)
startedMs = performance.now()
const acts = Promise.all([
  ...shows.map(dropPublishers),
  every(() => killEveryMs, killNode),
  every(() => 60_000, sample),
])
await pause(minutes * 60_000 - minutesNow() * 60_000)
stopping.abort()
await acts

await delay(settlingMs)
const down = await untilAllUp().catch((error: unknown) => [error])
for (const project of down) fail(`not every player is up in the end: ${String(project)}`)
await sample()
await Promise.all(shows.map(({ publisher }) => publisher.stop()))
await waitFor(
  () => Promise.all(shows.map((show) => stateOf(installation, show))),
  (states) => states.every((state) => state === 'offline'),
).catch((error: unknown) => fail(String(error)))
const figures = shows.map(({ player }) => player.figures())
await Promise.all(shows.map(({ player }) => player.stop()))
const census = await takeCensus(installation, receiver, hook.body.Id)
for (const fault of census.faults) fail(fault)
for (const [index, { projectId }] of shows.entries()) {
  const returns = census.returns.get(projectId) ?? 0
  const { breaks } = figures[index]!
  if (breaks < returns) fail(`project ${projectId}: ${returns} returns, ${breaks} breaks announced`)
}

const sum = (pick: (one: (typeof figures)[number]) => number): number =>
  figures.reduce((total, one) => total + pick(one), 0)
const refused = new Map<string, number>()
for (const { refusals } of figures)
  for (const [kind, count] of refusals) refused.set(kind, (refused.get(kind) ?? 0) + count)
const refusalsByText = Map.groupBy(
  shows.flatMap(({ publisher }) => publisher.refusals),
  (refusal) => refusal,
)
for (const [refusal, { length }] of refusalsByText) say(`publishers received ${length} times: ${refusal}`)

await receiver.stop()
if (faults.length === 0) await installation.remove()
else {
  await installation.killEverything()
  say(`the data is kept in ${installation.dataFolder}`)
}

say('')
say(
  '| minutes | streams | publishers broken off / stopped | kill -9 of the node | longest until another runs | playlists | pieces | compared | breaks | refused | segments lost | longest standstill | longest own delay | broadcasts | recordings | events / deliveries | faults |',
)
say(`|${'---|'.repeat(17)}`)
const cells = [
  minutes,
  streams,
  `${kills.publishers} / ${kills.stops}`,
  kills.node,
  `${(Math.max(0, ...kills.wholeAgainMs) / 1_000).toFixed(1)} s`,
  sum(({ playlists }) => playlists),
  sum(({ pieces }) => pieces),
  sum(({ comparisons }) => comparisons),
  sum(({ breaks }) => breaks),
  [...refused].map(([kind, count]) => `${count} × ${kind}`).join(', '),
  sum(({ lost }) => lost),
  `${(Math.max(0, ...figures.map(({ longestStandstillMs }) => longestStandstillMs)) / 1_000).toFixed(1)} s`,
  `${(worstLateMs / 1_000).toFixed(1)} s`,
  census.broadcasts,
  census.recordings,
  `${census.events} / ${census.deliveries}`,
  faults.length,
]
say(`| ${cells.join(' | ')} |`)
say('')
say('| role | samples | MB first / last | MB an hour | descriptors first / last | descriptors an hour |')
say(`|${'---|'.repeat(6)}`)
for (const [pid, all] of Map.groupBy(samples, (one) => one.pid)) {
  // A process that has just started still grows.
  const of = all.slice(1)
  const [first, last] = [of[0], of.at(-1)]
  if (first === undefined || last === undefined) continue
  const row = [
    `${first.role} ${pid}`,
    of.length,
    `${first.megabytes.toFixed(0)} / ${last.megabytes.toFixed(0)}`,
    growthPerHour(of, 'megabytes').toFixed(1),
    `${first.descriptors} / ${last.descriptors}`,
    growthPerHour(of, 'descriptors').toFixed(1),
  ]
  say(`| ${row.join(' | ')} |`)
}
process.exitCode = faults.length > 0 ? 1 : 0
