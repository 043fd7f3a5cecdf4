import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/platform/db/database.ts'
import { waitFor } from '../support/wait-for.ts'
import { startMoodyReceiver } from './delivery-scenario.ts'
import { createInstallation } from './installation.ts'
import { startSecondWorker, type SecondWorker } from './second-worker.ts'

/**
 * Sends tens of thousands of deliveries to slow endpoints that refuse at random, and kills two of three
 * workers in turn: `node server/test/kill/delivery-storm.ts [--changes 10000] [--kills 20]`. Five endpoints
 * subscribe to every change. Exits with 1 when a delivery is lost or arrives before an earlier one of its
 * file.
 */
const { values } = parseArgs({
  options: { changes: { type: 'string', default: '10000' }, kills: { type: 'string', default: '20' } },
})
const changeCount = Number(values.changes)
const killCount = Number(values.kills)
const endpointCount = 5
const fileCount = 500
const writerCount = 8
/** Timeout after the last change. A refused ordering key waits five seconds, and a paused endpoint thirty. */
const lastArrivalTimeoutMs = 300_000

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const installation = await createInstallation()
await installation.start()
const connection = await installation.connection()
const project = (await installation.call('POST', '/projects', { Name: 'Storm' })).body.Id as number
const files: number[] = []
for (let index = 0; index < fileCount; index += 1)
  files.push(
    (await installation.call('POST', `/projects/${project}/files`, { FileName: `${index}.mp4` })).body.Id,
  )
const receivers = await Promise.all(Array.from({ length: endpointCount }, startMoodyReceiver))
const hooks: number[] = []
for (const { url } of receivers) {
  // Workers share webhooks by id. The gaps between ids give each worker some of the webhooks under test.
  for (let gap = 0; gap < 2; gap += 1)
    await installation.call('POST', '/modules/notifications', {
      TargetURL: url,
      EventTypes: ['file.updated'],
      IsEnabled: false,
    })
  hooks.push(
    (
      await installation.call('POST', '/modules/notifications', {
        TargetURL: url,
        EventTypes: ['file.updated'],
        ProjectId: project,
      })
    ).body.Id,
  )
}

let next = 0
const change = async (): Promise<void> => {
  while (next < changeCount) {
    const index = next++
    const { status } = await installation.call(
      'PUT',
      `/projects/${project}/files/${files[index % fileCount]}/metadata`,
      { Title: `change ${index}` },
    )
    if (status !== 200) throw new Error(`A change answered ${status}.`)
  }
}

const arrivedCount = (): number => receivers.reduce((sum, { taken }) => sum + taken.length, 0)
const isOver = (): boolean => arrivedCount() >= changeCount * endpointCount

/**
 * Kills two additional workers in turn, evenly spread over all deliveries. The worker of the tree is spared,
 * because its supervisor restarts it with growing delays.
 */
const kill = async (): Promise<number> => {
  const start = (index: number): Promise<SecondWorker> => startSecondWorker(installation, `worker-${index}`)
  const workers = [await start(0), await start(1)]
  let kills = 0
  try {
    while (kills < killCount) {
      const at = ((kills + 0.5) * changeCount * endpointCount) / killCount
      await waitFor(
        async () => arrivedCount() >= at,
        (isDue) => isDue,
        lastArrivalTimeoutMs,
      )
      const index = kills % workers.length
      await workers[index]?.kill()
      workers[index] = await start(index)
      kills += 1
    }
    await waitFor(
      async () => isOver(),
      (over) => over,
      lastArrivalTimeoutMs,
    )
  } finally {
    await Promise.all(workers.map((worker) => worker.remove()))
  }
  return kills
}

const startedMs = performance.now()
const [kills] = await Promise.all([kill(), ...Array.from({ length: writerCount }, change)])

const database = openDatabase(connection, { maxConnections: 1 })
const pending = (): Promise<{ count: number }[]> => database.sql<{ count: number }[]>`
  select count(*)::int as count from deliveries where state in ('pending', 'waiting')`
await waitFor(pending, ([row]) => row?.count === 0, lastArrivalTimeoutMs)
const seconds = (performance.now() - startedMs) / 1000

const events = await database.sql<{ id: number }[]>`
  select id from events where project_id = ${project} and name = 'file.updated'`
let lost = 0
let orderBreaks = 0
let repeats = 0
for (const [index, { taken }] of receivers.entries()) {
  const firsts = new Map<string, (typeof taken)[number]>()
  for (const one of taken) if (!firsts.has(one.id)) firsts.set(one.id, one)
  lost += events.filter(({ id }) => !firsts.has(`evt_${id}_${hooks[index]}`)).length
  repeats += taken.length - firsts.size
  const lastOf = new Map<number, number>()
  for (const { fileId, sequence } of firsts.values()) {
    if (sequence < (lastOf.get(fileId) ?? 0)) orderBreaks += 1
    lastOf.set(fileId, Math.max(sequence, lastOf.get(fileId) ?? 0))
  }
}
const refused = receivers.reduce((sum, receiver) => sum + receiver.refusedCount(), 0)
say(
  `${events.length} events × ${endpointCount} endpoints, ${kills} kills, ${refused} refused, ${seconds.toFixed(0)} s: lost ${lost}, order breaks ${orderBreaks}, duplicates ${repeats}`,
)
await database.close()
await Promise.all(receivers.map(({ stop }) => stop()))
await installation.remove()
process.exitCode = lost + orderBreaks > 0 || events.length < changeCount ? 1 : 0
