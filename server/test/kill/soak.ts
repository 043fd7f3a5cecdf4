import { parseArgs } from 'node:util'
import { setTimeout as delay } from 'node:timers/promises'
import { deliverThroughKill } from './delivery-scenario.ts'
import { chunkProject, encodeChunksThroughKill, makeChunkSource } from './chunk-scenario.ts'
import { encodeProject, encodeThroughKill, makeEncodeSource } from './encode-scenario.ts'
import { createInstallation, type Installation, type KillTarget, type Recovery } from './installation.ts'
import { compareMedia, countTemporaryBlobs, listLeftovers } from './media-inventory.ts'
import { uploadThroughKill } from './upload-scenario.ts'

/**
 * Repeats the scenarios of this folder with kills at random times: `node server/test/kill/soak.ts [--rounds
 * 10] [--only upload,encode,chunks,delivery]`. Exits with 1 when anything was lost.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10' },
    only: { type: 'string', default: 'upload,encode,chunks,delivery' },
  },
})
const rounds = Number(values.rounds)

const MiB = 1024 * 1024
const uploadBytes = 24 * MiB
const encodeSeconds = 45
/** About the duration of an encode of this source here, so that kills hit every step. */
const encodeSpanMs = 7_000
const eventCount = 200
/** Half of the duration of a chunk here. */
const chunkSpanMs = 500

const say = (text: string): void => {
  process.stdout.write(`${text}\n`)
}

const targets: readonly KillTarget[] = ['everything', 'supervisor', 'api', 'worker']
const targetOf = (round: number): KillTarget => targets[round % targets.length] ?? 'everything'
const randomInteger = (below: number): number => Math.floor(Math.random() * below)

interface Round {
  readonly recovery: Recovery
  readonly note: string
}

type Scenario = (installation: Installation, projectId: number, round: number) => Promise<Round>

const upload: Scenario = async (installation, projectId, round) => {
  const chunkBytes = round % 2 === 0 ? MiB : null
  const killAtByte = randomInteger(uploadBytes)
  const outcome = await uploadThroughKill(installation, projectId, {
    sizeBytes: uploadBytes,
    chunkBytes,
    killAtByte,
    target: targetOf(round),
  })
  const how = chunkBytes === null ? 'one PUT' : 'chunks'
  return {
    recovery: outcome.recovery,
    note: `${how}, killed at ${(killAtByte / MiB).toFixed(1)} MiB, resumed at ${(outcome.resumedAtByte / MiB).toFixed(1)} MiB`,
  }
}

const createEncode = async (): Promise<Scenario> => {
  const source = await makeEncodeSource(encodeSeconds)
  return async (installation, projectId, round) => {
    const afterMs = randomInteger(encodeSpanMs)
    const outcome = await encodeThroughKill(installation, projectId, {
      source,
      target: targetOf(round),
      until: () => delay(afterMs),
    })
    const again =
      outcome.encoderAfterMs === null ? 'no encode left' : `encoder after ${seconds(outcome.encoderAfterMs)}`
    return {
      recovery: outcome.recovery,
      note: `killed ${seconds(afterMs)} after the upload (${outcome.killedIn}), ${again}, finished after ${seconds(outcome.finishedAfterMs)}`,
    }
  }
}

/** Kills only the second of two workers, never the product. Measures the time until the file finishes. */
const createChunks = async (): Promise<Scenario> => {
  const source = await makeChunkSource()
  return async (installation, projectId) => {
    const afterMs = randomInteger(chunkSpanMs)
    await installation.call('PATCH', `/projects/${projectId}`, {
      EncoderSettings: chunkProject.EncoderSettings,
    })
    const outcome = await encodeChunksThroughKill(installation, projectId, { source, afterMs })
    return {
      recovery: { downMs: 0, readyMs: outcome.finishedAfterMs },
      note: `killed ${seconds(afterMs)} after both workers had begun, ${outcome.repeatedChunks} of ${outcome.chunks} chunks repeated, finished after ${seconds(outcome.finishedAfterMs)}`,
    }
  }
}

const delivery: Scenario = async (installation, projectId, round) => {
  const killAtChange = randomInteger(eventCount)
  const outcome = await deliverThroughKill(installation, projectId, {
    eventCount,
    killAtChange,
    target: targetOf(round),
  })
  return {
    recovery: outcome.recovery,
    note: `killed at change ${killAtChange}, ${outcome.events} events, ${outcome.repeats} repeats, ${outcome.refused} refused, last after ${seconds(outcome.lastAfterMs)}`,
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

const runScenario = async (
  name: string,
  scenario: Scenario,
): Promise<{ summary: string; failures: number }> => {
  const installation = await createInstallation()
  const recoveries: Recovery[] = []
  let failures = 0
  await installation.start()
  const project = await installation.call('POST', '/projects', { ...encodeProject, Name: name })
  for (let round = 0; round < rounds; round += 1) {
    try {
      const { recovery, note } = await scenario(installation, project.body.Id, round)
      recoveries.push(recovery)
      say(`${name} ${round + 1}/${rounds}  ${targetOf(round)}: ${note}`)
    } catch (error) {
      failures += 1
      say(
        `${name} ${round + 1}/${rounds}  ${targetOf(round)}: LOST ${(error as Error).stack ?? String(error)}`,
      )
    }
  }
  const { orphans, missing, miscounted } = await compareMedia(installation)
  const leftovers = await listLeftovers(installation.dataFolder)
  const temporary = await countTemporaryBlobs(installation.dataFolder)
  const faults = [...orphans, ...missing, ...miscounted, ...leftovers]
  for (const fault of faults) say(`${name}: ${fault}`)
  if (failures + faults.length === 0) await installation.remove()
  else {
    await installation.killEverything()
    say(`${name}: the data is kept in ${installation.dataFolder}`)
  }
  const whole = recoveries.filter(({ downMs }) => downMs > 0)
  const ready = (some: readonly Recovery[]): string =>
    `${seconds(median(some.map(({ readyMs }) => readyMs)))} / ${seconds(Math.max(0, ...some.map(({ readyMs }) => readyMs)))}`
  const cells = [
    name,
    `${rounds}`,
    `${failures}`,
    `${faults.length}`,
    `${temporary}`,
    seconds(Math.max(0, ...whole.map(({ downMs }) => downMs))),
    ready(whole),
    ready(recoveries.filter(({ downMs }) => downMs === 0)),
  ]
  return { summary: `| ${cells.join(' | ')} |`, failures: failures + faults.length }
}

const scenarios: Readonly<Record<string, () => Promise<Scenario>>> = {
  upload: async () => upload,
  encode: createEncode,
  chunks: createChunks,
  delivery: async () => delivery,
}

const summaries: string[] = []
let failures = 0
for (const [name, create] of Object.entries(scenarios)) {
  if (!values.only.split(',').includes(name)) continue
  const result = await runScenario(name, await create())
  summaries.push(result.summary)
  failures += result.failures
}
say('')
say(
  '| scenario | kills | lost | leftovers | half-written temporary files | longest until all is down | tree ready again, median / worst | role ready again, median / worst |',
)
say('|---|---|---|---|---|---|---|---|')
for (const summary of summaries) say(summary)
process.exitCode = failures > 0 ? 1 : 0
