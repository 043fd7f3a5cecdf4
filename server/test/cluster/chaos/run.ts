import { join } from 'node:path'
import { checkCluster } from '../checker/check.ts'
import type { Cluster } from '../cluster.ts'
import { createRandom } from '../random.ts'
import { rtmpPort } from '../services/node.ts'
import { createClient } from '../workload/client.ts'
import { openJournal, readJournal } from '../workload/journal.ts'
import { startLive } from '../workload/live.ts'
import { startProbes } from '../workload/probes.ts'
import { startReceiver } from '../workload/receiver.ts'
import { writeRecords } from '../workload/records.ts'
import { makeSamples } from '../workload/samples.ts'
import { upload } from '../workload/uploads.ts'
import type { World } from '../workload/world.ts'
import { faults } from './faults.ts'
import { inflict } from './inflict.ts'
import { planChaos } from './plan.ts'
import { reportOf } from './report.ts'

export interface ChaosOptions {
  readonly seed: number
  readonly minutes: number
  /** Only faults whose name contains one of these words. */
  readonly only: readonly string[]
  readonly say: (text: string) => void
}

const uploaders = ['upload-a', 'upload-b']
const writers = ['record-a', 'record-b']

/** Runs the workload during the faults, then the checker. Returns false when anything was lost or wrong. */
export const runChaos = async (cluster: Cluster, options: ChaosOptions): Promise<boolean> => {
  const { seed, minutes, only, say } = options
  const journalPath = join(cluster.root, 'journal.jsonl')
  const journal = openJournal(journalPath)
  const over = new AbortController()
  const nodeUrls = cluster.nodesOf('api').map(({ machine }) => `http://${machine.address}:8080`)
  const clientOf = (number: number) =>
    createClient({
      url: cluster.url,
      apiKey: cluster.apiKey,
      nodeUrls,
      random: createRandom(seed + number),
    })
  let worlds = 0
  const newWorld = (): World => {
    worlds += 1
    return {
      client: clientOf(worlds),
      journal,
      random: createRandom(seed + 1_000 + worlds),
      over: over.signal,
    }
  }
  const client = clientOf(0)
  const { body: project } = await client.insist('/v3/projects', [201], {
    method: 'POST',
    body: {
      Name: 'Chaos',
      DefaultReleaseStatus: 'published',
      EncoderSettings: { LadderMode: 'eager', Renditions: [{ Height: 90 }] },
    },
  })
  const receiver = await startReceiver(journal)
  const { body: webhook } = await client.insist('/v3/modules/notifications', [201], {
    method: 'POST',
    body: { TargetURL: receiver.url, EventTypes: ['file.*', 'live.*', 'recording.*'] },
  })
  receiver.setSecret(webhook.Secret)

  const samples = await makeSamples()
  const random = createRandom(seed)
  const wanted = faults.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
  const plan = planChaos(random, minutes, wanted)
  let chaos: ReturnType<typeof inflict> | null = null
  const live = await startLive(
    newWorld(),
    async (method, path, body) =>
      client.insist(`/v3${path}`, [200, 201], { method, ...(body === undefined ? {} : { body }) }),
    [
      { host: cluster.nodesOf('live')[0]!.machine.address, port: rtmpPort },
      ...cluster
        .nodesOf('live')
        .slice(1)
        .map(({ machine }) => ({ host: machine.address, port: rtmpPort })),
    ],
    () => chaos?.isDisturbed() ?? true,
  )
  const probed = await client.insist(`/v3/projects/${project.Id}/files?fileName=probe.mp4`, [201], {
    method: 'POST',
    headers: { 'Content-Type': 'video/mp4' },
    body: samples.next(0),
  })
  const work = [
    ...uploaders.map((name) => upload(newWorld(), project.Id, name, { samples, sources: receiver })),
    ...writers.map((name) => writeRecords(newWorld(), project.Id, name)),
  ]
  const probePath = `${cluster.url}/v3/projects/${project.Id}/files/${probed.body.Id}`
  const headers = { Authorization: `Bearer ${cluster.apiKey}` }
  let hls = ''
  while (hls === '') {
    const { body } = await client.insist(probePath, [200])
    hls = body.IsFinished === true ? body.Playouts[0].HLS : ''
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  startProbes(newWorld(), {
    read: () => new Request(probePath, { headers }),
    write: () =>
      new Request(`${probePath}/metadata`, {
        method: 'PUT',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ Title: 'probe' }),
      }),
    play: () => new Request(hls),
  })

  say(`${plan.length} faults in ${minutes} minutes, seed ${seed}`)
  chaos = inflict(cluster, plan, random, journal, say)
  await chaos.done
  await new Promise((resolve) => setTimeout(resolve, 5_000))
  over.abort()
  say('the faults are over; clients finish')
  await Promise.all(work)
  await live.stopPublishers()
  const checked = await checkCluster(cluster, {
    readJournal: () => readJournal(journalPath),
    client,
    webhookId: webhook.Id,
    say,
  })
  await live.stopPlayers()
  const restarts = cluster.nodes.map((node) => `${node.machine.name} ${node.restarts()}`).join(', ')
  const figures = { ...checked.figures, 'restarts of nodes': restarts }
  say(reportOf(await readJournal(journalPath), { ...checked, figures }))
  await receiver.stop()
  journal.close()
  return checked.findings.length === 0
}
