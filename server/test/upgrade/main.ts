import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findProgram } from '../support/find-program.ts'
import { runTool } from '../image/run-tool.ts'
import { startWebhookReceiver } from '../support/webhook-receiver.ts'
import { waitFor } from '../support/wait-for.ts'
import { startCluster } from './cluster.ts'
import { startLoad, type Outcome } from './load.ts'
import { findCommit, findPreviousRelease, unpackRelease } from './previous-release.ts'
import { backEndRound, mediaRound, signInRound, type Acknowledged } from './rounds.ts'

/**
 * Upgrades a cluster from the previous release under load, as docs/backup.md says: migrate, then the api node, then the worker.
 * Exits with 1 when a request fails or an acknowledged change is lost: `npm run soak -- --only upgrade`, or by itself with
 * `--from <commit>`.
 */
const { values } = parseArgs({
  options: { from: { type: 'string' }, requests: { type: 'string', default: '250' } },
})
const say = (text: string): void => void process.stdout.write(`${text}\n`)
const skip = (reason: string): never => {
  say(`skipped: ${reason}`)
  process.exit(0)
}

const from = values.from ?? (await findPreviousRelease())
const commit =
  (await findCommit(from)) ?? skip(`this clone has no commit ${from}. Fetch it: git fetch --unshallow`)
const haproxy = (await findProgram('haproxy', '../sbin/haproxy')) ?? skip('apt-get install haproxy')
const folder = await mkdtemp(join(tmpdir(), 'zoetrope-upgrade-'))

const makeSource = async (): Promise<Buffer> => {
  const file = join(folder, 'clip.mp4')
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2']
  const sound = ['-f', 'lavfi', '-i', 'sine=duration=2']
  const codec = ['-pix_fmt', 'yuv420p', '-g', '25', '-movflags', '+faststart']
  await runTool('ffmpeg', ['-v', 'error', '-nostdin', ...picture, ...sound, ...codec, file])
  return readFile(file)
}

const report = ({ requests, byServer, failures, slowestMs }: Outcome): void => {
  const kinds = Object.groupBy(failures, (text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, 'N'))
  for (const same of Object.values(kinds)) say(`FAILED ${same?.length} times, such as ${same?.[0]}`)
  const shares = Object.entries(byServer).map(([server, count]) => `${server} ${count}`)
  say(
    `${requests} requests (${shares.join(', ')}), ${failures.length} failed, slowest ${slowestMs.toFixed(0)} ms`,
  )
}

const undos: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
try {
  const previous = await unpackRelease(commit, join(folder, 'previous'))
  const receiver = await startWebhookReceiver()
  undos.push(receiver.stop)
  say(`upgrading from ${from} (${commit.slice(0, 10)})`)
  const cluster = await startCluster(folder, haproxy, previous)
  undos.push(cluster.stop)
  const { apiKey, email, password } = cluster.credentials
  const acknowledged: Acknowledged = { projectIds: [], finishedFileIds: [] }
  const source = await makeSource()
  const rounds = [
    ...[backEndRound(acknowledged), backEndRound(acknowledged)],
    ...[mediaRound(acknowledged, source), signInRound(email, password)],
  ]
  const created = await fetch(`${cluster.url}/v3/modules/notifications`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      TargetURL: receiver.url,
      EventTypes: ['project.new', 'file.new'],
      Name: randomUUID(),
    }),
  })
  if (created.status !== 201) throw new Error(`no webhook: ${await created.text()}`)
  const { Id: webhookId } = (await created.json()) as { Id: number }

  const load = startLoad(cluster.url, apiKey, rounds)
  const count = Number(values.requests)
  load.enter('previous release')
  await load.until(['api1'], count)
  load.enter('migration')
  say(await cluster.migrate())
  say(`added a column to each of ${await cluster.addColumns()} tables`)
  load.enter('previous release after the migration')
  await load.until(['api1'], count)
  await cluster.startApi2()
  load.enter('both releases')
  await load.until(['api1', 'api2'], count)
  load.enter('stop of the former api node')
  await cluster.stopApi1()
  await load.until(['api2'], count)
  load.enter('workers of both releases')
  await cluster.startWorker2()
  await load.until(['api2'], count)
  load.enter('stop of the former worker')
  await cluster.stopWorker1()
  load.enter('new release')
  await load.until(['api2'], count)
  const outcome = await load.stop()
  report(outcome)

  const eventsOf = (name: string) =>
    receiver.received.map(({ event }) => event).filter(({ Event }) => Event === name)
  const findMissing = async (): Promise<string[]> => {
    const projects = new Set(eventsOf('project.new').map(({ ProjectId }) => ProjectId))
    const files = new Set(eventsOf('file.new').map(({ File }) => File.Id))
    return [
      ...acknowledged.projectIds.filter((id) => !projects.has(id)).map((id) => `project ${id}`),
      ...acknowledged.finishedFileIds.filter((id) => !files.has(id)).map((id) => `file ${id}`),
    ]
  }
  // Longer than the first retries of a delivery that failed because this machine was busy.
  const missing = await waitFor(findMissing, (names) => names.length === 0, 180_000, 500).catch(findMissing)
  if (missing.length === 0)
    say(
      `${acknowledged.projectIds.length} projects and ${acknowledged.finishedFileIds.length} videos: each has its webhook`,
    )
  else {
    const health = await fetch(`${cluster.url}/v3/modules/notifications/${webhookId}/health`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    })
    say(`FAILED: no webhook for ${missing.join(', ')}\n${await health.text()}`)
    process.exitCode = 1
  }
  if (outcome.failures.length > 0) process.exitCode = 1
} finally {
  for (const undo of undos.toReversed()) await undo()
}
