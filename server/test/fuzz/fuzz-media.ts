import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mutate, seededRandom } from '../../../packages/isobmff/test-support/mutations.ts'
import { openDatabase } from '../../src/platform/db/database.ts'
import type { Installation } from '../kill/installation.ts'
import { compareMedia, listLeftovers } from '../kill/media-inventory.ts'
import { waitFor } from '../support/wait-for.ts'
import { makeMediaSources } from './media-sources.ts'
import { playThrough } from './play-through.ts'

export interface FuzzOptions {
  readonly files: number
  readonly seed: number
  readonly say: (text: string) => void
}

export interface FuzzReport {
  readonly states: Readonly<Record<string, number>>
  readonly messages: Readonly<Record<string, number>>
  readonly faults: readonly string[]
}

const senders = 4
const endTimeoutMs = 120_000
/** Matches our own messages about the file. A generic processing error does not help the user. */
const helpful = /^(The|It|Its) (?!file could not be processed because)(?:[A-Za-z0-9 ,;:()'-]|\d\.\d)+\.$/
const endStates = ['finished', 'failed', 'degraded']

/**
 * Sends damaged copies of real files to a running product. Each file must end with a readable message, and a
 * playable one must play without server errors. No process, temporary file, job or unreferenced blob may
 * remain, and both roles must survive.
 */
export const fuzzMedia = async (
  installation: Installation,
  { files, seed, say }: FuzzOptions,
): Promise<FuzzReport> => {
  const sources = await makeMediaSources()
  const project = await installation.call('POST', '/projects', {
    Name: `Fuzz ${seed}`,
    DefaultReleaseStatus: 'published',
  })
  const path = `/projects/${project.body.Id}/files`
  const rolesBefore = await roleIds(installation)
  const states: Record<string, number> = {}
  const messages: Record<string, number> = {}
  const faults: string[] = []

  const sendOne = async (index: number): Promise<void> => {
    const random = seededRandom(seed * 100_000 + index)
    const source = sources[index % sources.length]
    const other = sources[random(sources.length)]
    if (source === undefined || other === undefined) throw new Error('There are no sources.')
    const { bytes, damage } = mutate(source.bytes, other.bytes, random)
    const what = `file ${index} (${source.name} with ${damage.join(', ')})`
    if (bytes.length === 0) return
    try {
      const startedMs = performance.now()
      const file = await upload(installation, path, source.name, bytes)
      states[file.Status] = (states[file.Status] ?? 0) + 1
      const message = file.ErrorMessage ?? ''
      if (message !== '') messages[message] = (messages[message] ?? 0) + 1
      if (!endStates.includes(file.Status)) faults.push(`${what} is ${file.Status}`)
      if (file.HasErrors && !helpful.test(message)) faults.push(`${what} says: ${message}`)
      if (file.IsPlayable) faults.push(...(await playThrough(file)).map((fault) => `${what}: ${fault}`))
      say(
        `${what}: ${file.Status} after ${((performance.now() - startedMs) / 1000).toFixed(1)} s. ${message}`,
      )
    } catch (error) {
      faults.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      say(faults.at(-1) ?? '')
    }
  }
  let next = 0
  const sender = async (): Promise<void> => {
    while (next < files) await sendOne(next++)
  }
  await Promise.all(Array.from({ length: senders }, sender))

  faults.push(...(await findTraces(installation)))
  const rolesAfter = await roleIds(installation)
  if (rolesAfter !== rolesBefore) faults.push(`a role has died: ${rolesBefore} became ${rolesAfter}`)
  return { states, messages, faults }
}

const roleIds = async ({ findRole }: Installation): Promise<string> =>
  `api ${await findRole('api')}, worker ${await findRole('worker')}`

const upload = async (installation: Installation, path: string, FileName: string, bytes: Buffer) => {
  const created = await installation.call('POST', path, { FileName })
  const put = await fetch(created.body.Upload.URI, { method: 'PUT', body: new Uint8Array(bytes) })
  if (put.status !== 200) throw new Error(`the upload answered ${put.status}: ${await put.text()}`)
  const { body } = await waitFor(
    () => installation.call('GET', `${path}/${created.body.Id}`),
    (answer) => answer.body.IsFinished === true,
    endTimeoutMs,
  )
  return body
}

const findTraces = async (installation: Installation): Promise<string[]> => {
  // A job removes its folder last, shortly after it sets the state.
  const jobs = await waitFor(
    () => countJobs(installation),
    (count) => count === 0,
  ).catch((error: unknown) => String(error))
  const leftovers = await waitFor(
    () => listLeftovers(installation.dataFolder),
    (left) => left.length === 0,
  ).catch((error: unknown) => [String(error)])
  const { orphans, missing, miscounted } = await compareMedia(installation)
  const encoders = await installation.countEncoders()
  return [
    ...(jobs === 0 ? [] : [`jobs are left: ${jobs}`]),
    ...(encoders === 0 ? [] : [`${encoders} ffmpeg processes are left`]),
    ...leftovers.map((name) => `left on disk: ${name}`),
    ...orphans.map((name) => `blob without a name: ${name}`),
    ...missing.map((name) => `blob that is not there: ${name}`),
    ...miscounted,
    ...(await errorLines(installation.dataFolder)).map((line) => `logged: ${line}`),
  ]
}

const countJobs = async (installation: Installation): Promise<number> => {
  const database = openDatabase(await installation.connection(), { maxConnections: 1 })
  try {
    const [row] = await database.sql<{ count: number }[]>`
      select count(*)::int as count from pgboss.job
      where name like 'file.%' and name <> 'file.purge' and state in ('created', 'retry', 'active')`
    return row?.count ?? 0
  } finally {
    await database.close()
  }
}

/** Lines of pino level 50 (`error`) and 60 (`fatal`). */
const errorLines = async (dataFolder: string): Promise<string[]> => {
  const text = await readFile(join(dataFolder, 'zoetrope.log'), 'utf8')
  return text.split('\n').filter((line) => /"level":(?:[56]0|"(?:error|fatal)")/.test(line))
}
