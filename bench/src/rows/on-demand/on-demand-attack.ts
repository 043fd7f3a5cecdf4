import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { percentile } from '../../harness/measure.ts'
import { startProduct, type Product } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import {
  addFile,
  load,
  makeSample,
  openProject,
  rungOf,
  segmentSeconds,
  sourceSeconds,
  type Listed,
} from './on-demand.ts'
import { untilIdle } from '../playable.ts'

/** As many as a caller can have on one machine: all of 127.0.0.0/8 is loopback. */
const addressCount = 20
const connectionsPerAddress = 3
const segmentCount = sourceSeconds / segmentSeconds
/** Cold places of a file. Encoders run ahead by one segment after a seek. */
const seekStep = 5
/** A closing attacker goes away before an encoder has finished. */
const closedAfterMs = 100

interface Attack {
  readonly name: string
  readonly isClosing: boolean
  readonly seconds: number
}

interface Loaded {
  readonly seconds: number[]
  missedCount: number
}

const newLoaded = (): Loaded => ({ seconds: [], missedCount: 0 })

const loadInto = async (loaded: Loaded, url: string): Promise<void> => {
  await load(url).then(
    (seconds) => loaded.seconds.push(seconds),
    () => (loaded.missedCount += 1),
  )
}

const randomOf = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('There is nothing to choose from.')
  return value
}

/** Requests random segments of all rungs that are encoded on demand, over connections of many addresses. */
const attack = async (
  files: readonly Listed[],
  isClosing: boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number>> => {
  const answers = new Map<string, number>()
  /** Returns where the answer sends the player. */
  const request = async (url: string, agent: Agent, localAddress: string): Promise<string | null> => {
    const sent = get(url, { agent, localAddress })
    const ended = new Promise((resolve) => sent.once('close', resolve))
    let answer = 'closed'
    let location: string | undefined
    sent.once('response', (response) => {
      answer = String(response.statusCode)
      ;({ location } = response.headers)
      response.on('error', () => {}).resume()
    })
    sent.on('error', () => {})
    const timer = isClosing ? setTimeout(() => sent.destroy(), closedAfterMs) : undefined
    await ended
    clearTimeout(timer)
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    return location === undefined ? null : new URL(location, url).href
  }
  const connect = async (localAddress: string): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!signal.aborted) {
      const { folder, renditions } = randomOf(files)
      const rung = randomOf(renditions.filter(({ State }) => State === 'on-demand'))
      let url: string | null = `${folder}/${rung.Id}/${Math.floor(Math.random() * segmentCount)}.m4s`
      while (url !== null && !signal.aborted) url = await request(url, agent, localAddress)
    }
    agent.destroy()
  }
  const connections = Array.from({ length: addressCount * connectionsPerAddress }, (_, index) =>
    connect(`127.0.0.${2 + (index % addressCount)}`),
  )
  await Promise.all(connections)
  return answers
}

/** Loads one cold segment after the other, as a viewer who seeks. */
const seek = async (files: readonly Listed[], signal: AbortSignal): Promise<Loaded> => {
  const loaded = newLoaded()
  for (const file of files)
    for (let place = 2; place < segmentCount; place += seekStep) {
      if (signal.aborted) return loaded
      await loadInto(loaded, `${rungOf(file)}/${place}.m4s`)
      await delay(1_000)
    }
  return loaded
}

/** Plays on at normal pace. */
const play = async (rung: string, signal: AbortSignal): Promise<Loaded> => {
  const loaded = newLoaded()
  for (let segment = 0; segment < segmentCount && !signal.aborted; segment += 1) {
    const startedMs = performance.now()
    await loadInto(loaded, `${rung}/${segment}.m4s`)
    await delay(Math.max(0, 1_000 * segmentSeconds - (performance.now() - startedMs)))
  }
  return loaded
}

const loadSource = async (file: Listed, signal: AbortSignal): Promise<Loaded> => {
  const loaded = newLoaded()
  for (let segment = 0; !signal.aborted; segment += 1) {
    await loadInto(loaded, `${rungOf(file, 'source')}/${segment % (sourceSeconds / 4)}.m4s`)
    await delay(250)
  }
  return loaded
}

const rowOf = (name: string, loaded: Loaded, note: string): Row => {
  const { seconds, missedCount } = loaded
  const all = [...seconds, ...Array<number>(missedCount).fill(10)]
  const times = [50, 95, 100].map((percent) => percentile(all, percent).toFixed(3))
  return makeRow({
    name,
    value: (100 * seconds.length) / all.length,
    unit: '%',
    goal: { of: 'value', atLeast: 100 },
    note: `${seconds.length} of ${all.length} within ten seconds; p50, p95, max: ${times.join(', ')} s${note}`,
  })
}

const measure = async (
  product: Product,
  { name, isClosing, seconds }: Attack,
  { attacked, watched, played }: { attacked: readonly Listed[]; watched: readonly Listed[]; played: string },
): Promise<Row[]> => {
  const [source] = attacked
  if (source === undefined) throw new Error('No file is attacked.')
  const over = new AbortController()
  const cpuBefore = product.spentCpuSeconds()
  const startedMs = performance.now()
  const attacking = attack(attacked, isClosing, over.signal)
  const viewing = Promise.all([
    seek(watched, over.signal),
    play(played, over.signal),
    loadSource(source, over.signal),
  ])
  await delay(1_000 * seconds)
  const cores = (product.spentCpuSeconds() - cpuBefore) / ((performance.now() - startedMs) / 1_000)
  over.abort()
  const endedMs = performance.now()
  const answers = [...(await attacking)]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([answer, count]) => `${count} × ${answer}`)
  const [sought, playedOn, passedThrough] = await viewing
  await untilIdle(product)
  const leftSeconds = (performance.now() - endedMs) / 1_000
  return [
    rowOf(
      `cold segments of another project, ${name}`,
      sought,
      `; ${cores.toFixed(2)} cores; answers: ${answers.join(', ')}; idle ${leftSeconds.toFixed(1)} s after the end`,
    ),
    rowOf(`segments of a viewer who plays a rung of an attacked file, ${name}`, playedOn, ''),
    rowOf(`segments of the source, ${name}`, passedThrough, ''),
  ]
}

export const measureOnDemandAttack = async (context: BenchContext): Promise<Row[]> => {
  const sample = await makeSample(context)
  const product = await startProduct(context, await makeFolder(context, 'data'), {
    ZOETROPE_ONDEMAND_MINUTES_PER_DAY: '0',
  })
  const project = await openProject(product, 'on-demand')
  const other = await openProject(product, 'on-demand')
  const attacks: Attack[] = [
    { name: 'attack by waiting', isClosing: false, seconds: context.isQuick ? 20 : 40 },
    { name: 'attack by closed connections', isClosing: true, seconds: context.isQuick ? 10 : 30 },
  ]
  const addFiles = async (to: typeof project, count: number): Promise<Listed[]> => {
    const files: Listed[] = []
    for (let number = 0; number < count; number += 1) files.push(await addFile(to, sample))
    return files
  }
  context.say('files of the attacked project, and of another one')
  const attacked = await addFiles(project, context.isQuick ? 5 : 20)
  const alone = await addFiles(other, 2)
  await untilIdle(product)
  context.say('without an attack')
  const rows = [rowOf('cold segments without an attack', await seek(alone, new AbortController().signal), '')]
  for (const one of attacks) {
    const watched = await addFiles(other, Math.ceil(one.seconds / 6))
    await untilIdle(product)
    context.say(one.name)
    const played = rungOf(randomOf(attacked))
    rows.push(...(await measure(product, one, { attacked, watched, played })))
  }
  return rows
}
