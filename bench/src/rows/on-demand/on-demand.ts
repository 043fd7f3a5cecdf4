import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { makeFolder, type BenchContext } from '../../harness/context.ts'
import { percentile } from '../../harness/measure.ts'
import { startProduct, type Product } from '../../harness/product.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import { makeSampleSource } from '../../content/sample-media.ts'
import { sendFile, untilIdle } from '../playable.ts'

/** What most files of a library are: one minute of 1080p with key frames every two seconds. */
export const sourceSeconds = 60
const coldRung = '480p'
/** Places of a file from which a viewer plays on, in segments of two seconds. Encoders run ahead by six. */
const coldPlaces = [0, 13, 26]
const nextSegments = 3
export const segmentSeconds = 2

export interface Sample {
  readonly path: string
  readonly sizeBytes: number
}

export interface Listed {
  readonly id: number
  readonly folder: string
  readonly renditions: readonly {
    readonly Id: number
    readonly Name: string
    readonly State: string
    readonly Size: number
  }[]
}

export interface Project {
  readonly product: Product
  readonly files: string
}

export const openProject = async (product: Product, ladderMode: 'eager' | 'on-demand'): Promise<Project> => {
  const project = await product.call('POST', '/projects', {
    Name: ladderMode,
    DefaultReleaseStatus: 'published',
    EncoderSettings: { LadderMode: ladderMode },
  })
  return { product, files: `/projects/${project.body.Id}/files` }
}

/** Uploads the sample and waits until the file is finished. */
export const addFile = async ({ product, files }: Project, { path, sizeBytes }: Sample): Promise<Listed> => {
  const created = await product.call('POST', files, { FileName: basename(path), FileSize: sizeBytes })
  await (
    await sendFile(created.body.Upload.URI, path, sizeBytes)
  ).answer
  for (;;) {
    const { body: file } = await product.call('GET', `${files}/${created.body.Id}`)
    if (file.HasErrors === true) throw new Error(`The file failed: ${file.ErrorMessage}`)
    if (file.IsFinished === true)
      return {
        id: file.Id,
        folder: (file.Playouts[0].HLS as string).replace('/main.m3u8', ''),
        renditions: file.Renditions,
      }
    await delay(100)
  }
}

/** Loads a segment as a player does, and returns the seconds until its last byte. */
export const load = async (url: string): Promise<number> => {
  const startedMs = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return (performance.now() - startedMs) / 1000
}

export const rungOf = ({ renditions, folder }: Listed, name = coldRung): string => {
  const rung = renditions.find(({ Name }) => Name === name)
  if (rung === undefined) throw new Error(`The file has no rung ${name}.`)
  return `${folder}/${rung.Id}`
}

export const makeSample = async ({ workFolder }: BenchContext): Promise<Sample> => {
  const path = await makeSampleSource(workFolder, {
    ...{ codec: 'h264', container: 'mp4', seconds: sourceSeconds },
  })
  return { path, sizeBytes: (await stat(path)).size }
}

export const measureOnDemand = async (context: BenchContext): Promise<Row[]> => {
  const sample = await makeSample(context)
  const product = await startProduct(context, await makeFolder(context, 'data'), {
    ZOETROPE_ONDEMAND_MINUTES_PER_DAY: '0',
  })
  const onDemand = await openProject(product, 'on-demand')
  const eager = await openProject(product, 'eager')
  // The first file of an installation has cold caches, so it is not measured.
  await addFile(onDemand, sample)
  await untilIdle(product)
  return [
    ...(await measureColdStarts(context, onDemand, sample)),
    ...(await measureLibrary(context, { onDemand, eager }, sample)),
    ...(await measureCrowd(context, onDemand, sample)),
  ]
}

/** Measures the first segment at cold places of a rung, and the segments after it. */
const measureColdStarts = async (context: BenchContext, project: Project, sample: Sample): Promise<Row[]> => {
  const first: number[] = []
  const next: number[] = []
  const fileCount = context.isQuick ? 2 : 7
  context.say(`${coldRung} of ${fileCount} files, from ${coldPlaces.length} cold places each`)
  for (let number = 0; number < fileCount; number += 1) {
    const rung = rungOf(await addFile(project, sample))
    await untilIdle(project.product)
    for (const place of coldPlaces) {
      first.push(await load(`${rung}/${place}.m4s`))
      for (let segment = 1; segment <= nextSegments; segment += 1)
        next.push(await load(`${rung}/${place + segment}.m4s`))
      // Encoders run ahead of this viewer.
      await untilIdle(project.product)
    }
  }
  const rows = (what: string, seconds: readonly number[], atMost: number): Row[] =>
    [50, 95].map((percent) =>
      makeRow({
        name: `${what}, ${coldRung} from 1080p, p${percent}`,
        value: percentile(seconds, percent),
        unit: 's',
        goal: { of: 'value', atMost },
        note: `${seconds.length} segments of ${segmentSeconds} s`,
      }),
    )
  return [...rows('cold segment', first, 1), ...rows('next segment of a viewer who loads on', next, 0.4)]
}

/** Processor time and bytes of a library of which five of a hundred files are watched on one rung. */
const measureLibrary = async (
  context: BenchContext,
  { onDemand, eager }: { readonly onDemand: Project; readonly eager: Project },
  sample: Sample,
): Promise<Row[]> => {
  const { product } = onDemand
  const spent = async <T>(work: () => Promise<T>): Promise<{ cpuSeconds: number; result: T }> => {
    await untilIdle(product)
    const before = product.spentCpuSeconds()
    const result = await work()
    await untilIdle(product)
    return { cpuSeconds: product.spentCpuSeconds() - before, result }
  }
  const bytesOfRungs = async ({ files }: Project, { id }: Listed): Promise<number> => {
    const { body } = await product.call('GET', `${files}/${id}`)
    return (body.Renditions as Listed['renditions'])
      .filter(({ Name }) => !Name.startsWith('source'))
      .reduce((sum, { Size }) => sum + Size, 0)
  }
  const uploadCount = context.isQuick ? 5 : 100
  const watchedCount = context.isQuick ? 1 : 5
  const eagerCount = context.isQuick ? 1 : 3
  context.say(`${uploadCount} uploads on demand`)
  const uploads = await spent(async () => {
    const listed: Listed[] = []
    for (let number = 0; number < uploadCount; number += 1) listed.push(await addFile(onDemand, sample))
    return listed
  })
  const watched = uploads.result.slice(0, watchedCount)
  context.say(`${watchedCount} of them are watched`)
  const views = await spent(async () => {
    for (const file of watched)
      for (let segment = 0; segment < sourceSeconds / segmentSeconds; segment += 1)
        await load(`${rungOf(file)}/${segment}.m4s`)
    // The record counts what is encoded at the end of a run.
    await delay(2_000)
  })
  context.say(`${eagerCount} uploads with the whole ladder`)
  const ladders = await spent(async () => {
    const listed: Listed[] = []
    for (let number = 0; number < eagerCount; number += 1) listed.push(await addFile(eager, sample))
    return listed
  })
  const sum = async (project: Project, files: readonly Listed[]): Promise<number> => {
    let bytes = 0
    for (const file of files) bytes += await bytesOfRungs(project, file)
    return bytes
  }
  const share = 0.05
  const cpuSeconds = uploads.cpuSeconds / uploadCount + (share * views.cpuSeconds) / watchedCount
  const bytes = (share * (await sum(onDemand, watched))) / watchedCount
  const note = `${uploadCount} uploads, ${watchedCount} watched whole on ${coldRung}, ${eagerCount} eager; per file`
  return [
    makeRow({
      name: 'processor time of a library of which 5 % is watched',
      value: cpuSeconds,
      unit: 's',
      limit: { name: 'eager', value: ladders.cpuSeconds / eagerCount },
      goal: { of: 'ratio', atMost: 0.1 },
      note,
    }),
    makeRow({
      name: 'bytes of rungs of a library of which 5 % is watched',
      value: bytes / 1e6,
      unit: 'MB',
      limit: { name: 'eager', value: (await sum(eager, ladders.result)) / eagerCount / 1e6 },
      goal: { of: 'ratio', atMost: 0.1 },
      note,
    }),
  ]
}

/** Viewers of unwatched files play the source in real time. Each requests one cold segment. */
const measureCrowd = async (context: BenchContext, project: Project, sample: Sample): Promise<Row[]> => {
  const viewerCount = context.isQuick ? 10 : 50
  const playedSeconds = context.isQuick ? 12 : 32
  const passthroughSeconds = 4
  context.say(`${viewerCount} viewers of ${viewerCount} files`)
  const files: Listed[] = []
  for (let number = 0; number < viewerCount; number += 1) files.push(await addFile(project, sample))
  await untilIdle(project.product)
  const waits: number[] = []
  const cold: number[] = []
  const asked: Promise<unknown>[] = []
  let refusedCount = 0
  await Promise.all(
    files.map(async (file, viewer) => {
      const source = rungOf(file, 'source')
      await delay((1000 * passthroughSeconds * viewer) / viewerCount)
      for (let segment = 0; segment < playedSeconds / passthroughSeconds; segment += 1) {
        const startedMs = performance.now()
        waits.push(await load(`${source}/${segment}.m4s`))
        if (segment === 1 + (viewer % 3))
          asked.push(
            load(`${rungOf(file)}/${2 * segment}.m4s`).then(
              (seconds) => cold.push(seconds),
              () => (refusedCount += 1),
            ),
          )
        await delay(Math.max(0, 1000 * passthroughSeconds - (performance.now() - startedMs)))
      }
    }),
  )
  await Promise.all(asked)
  return [
    makeRow({
      name: `stalls of ${viewerCount} viewers on the source, each with a cold request`,
      value: waits.filter((seconds) => seconds > passthroughSeconds).length,
      unit: 'stalls',
      goal: { of: 'value', atMost: 0 },
      note: `segments of ${passthroughSeconds} s, the slowest after ${Math.max(...waits).toFixed(2)} s; cold: ${cold.length} after ${percentile(cold, 50).toFixed(2)} s (p50), ${refusedCount} after ten seconds not`,
    }),
  ]
}
