import { openAsBlob } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runChild } from '../harness/child.ts'
import { writeJson } from '../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { hasNginx, startNginx } from '../harness/nginx.ts'
import { cpuSecondsOf } from '../harness/proc.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Goal, type Row } from '../harness/row.ts'
import { makeSampleSource, type SampleSource } from '../harness/sample-media.ts'
import type { LoadOptions, LoadResult } from '../processes/load-generator.ts'

const connections = 32
const accelPath = '/internal/media'

/** One rendition, as players ask for it. */
interface Segments {
  readonly name: string
  readonly paths: readonly string[]
  readonly meanBytes: number
  /** The same bytes as files, for nginx. */
  readonly filePaths: readonly string[]
}

interface Side {
  readonly name: string
  readonly port: number
  readonly processId: number
  readonly paths: readonly string[]
}

/** Segments as the API process sends them, and with nginx before it, against nginx that sends the same bytes from files. */
export const measureDelivery = async (context: BenchContext): Promise<Row[]> => {
  if (!hasNginx()) {
    context.say('left out: there is no nginx on this machine')
    return []
  }
  const dataFolder = await makeFolder(context, 'data')
  const filesFolder = await makeFolder(context, 'files')
  const seconds = context.isQuick ? 12 : 40
  const uploading = await startProduct(context, dataFolder)
  const encoded = await uploadSource(context, uploading, { codec: 'hevc', container: 'mkv', seconds })
  const conforming = await uploadSource(context, uploading, { codec: 'h264', container: 'mp4', seconds })
  const [large, small] = await renditionsOf(uploading, encoded, filesFolder, 'packaged')
  const [inPlace] = await renditionsOf(uploading, conforming, filesFolder, 'in place')
  await uploading.stop()

  const bare = await startNginx(context, 'nginx', `root ${filesFolder};`)
  const limit = (segments: Segments): Side => ({
    name: 'nginx, same bytes',
    port: bare.port,
    processId: bare.workerProcessId,
    paths: segments.filePaths,
  })
  const rows: Row[] = []
  const compare = async (
    name: string,
    server: { port: number; processId: number },
    all: readonly Segments[],
    goal?: Goal,
  ): Promise<void> => {
    for (const one of all)
      rows.push(
        ...(await compareSides(context, `${name}, ${one.name}`, { ...server, name, paths: one.paths }, limit(one), {
          bytes: one.meanBytes,
          ...(goal === undefined ? {} : { goal }),
        })),
      )
  }

  const half = { of: 'ratio', atLeast: 0.5 } as const
  const product = await startProduct(context, dataFolder)
  await compare('segments', apiOf(product), [large, small, inPlace], half)
  await product.stop()
  const forgetful = await startProduct(context, dataFolder, { ZOETROPE_MEDIA_MEMORY_BYTES: '0' })
  await compare('segments, none in memory', apiOf(forgetful), [large, small, inPlace])
  await forgetful.stop()

  const behind = await startProduct(context, dataFolder, { ZOETROPE_ACCEL_REDIRECT: accelPath })
  const front = await startNginx(
    context,
    'front',
    `location / { proxy_pass http://127.0.0.1:${behind.port}; proxy_http_version 1.1; proxy_set_header Connection ''; }
    location ${accelPath}/ { internal; alias ${join(dataFolder, 'media', 'blobs')}/; }`,
  )
  await compare(
    'segments by nginx with X-Accel-Redirect',
    { port: front.port, processId: front.workerProcessId },
    [large, small],
  )
  return rows
}

const apiOf = ({ port, apiProcessId }: Product) => ({ port, processId: apiProcessId })

interface Measured extends LoadResult {
  readonly cpuMicrosecondsPerRequest: number
}

const compareSides = async (
  context: BenchContext,
  name: string,
  product: Side,
  limit: Side,
  more: { readonly bytes: number; readonly goal?: Goal },
): Promise<Row[]> => {
  const [seconds, rounds] = context.isQuick ? [1, 3] : [3, 5]
  const measure =
    ({ port, processId }: Side, pathsPath: string, forSeconds: number) =>
    async (): Promise<Measured> => {
      const options: LoadOptions = { port, pathsPath, headers: {}, connections, seconds: forSeconds }
      const before = cpuSecondsOf(processId)
      const result = await runChild<LoadResult>('load-generator', options)
      const cpuSeconds = cpuSecondsOf(processId) - before
      return { ...result, cpuMicrosecondsPerRequest: (cpuSeconds * 1e6) / result.requests }
    }
  const productPaths = await writeJson(context, 'paths', product.paths)
  const limitPaths = await writeJson(context, 'limit-paths', limit.paths)
  context.say(`${name}: ${rounds} pairs of ${seconds} s`)
  await measure(product, productPaths, 1)()
  await measure(limit, limitPaths, 1)()
  const results = await interleave(rounds, {
    product: measure(product, productPaths, seconds),
    limit: measure(limit, limitPaths, seconds),
  })
  const of = (side: keyof typeof results, key: keyof Measured): number[] =>
    results[side].map((one) => one[key])
  const rate = median(of('product', 'requestsPerSecond'))
  const cpu = (side: keyof typeof results): string =>
    median(of(side, 'cpuMicrosecondsPerRequest')).toFixed(0)
  return [
    makeRow({
      name,
      value: rate,
      unit: 'requests/s',
      limit: { name: limit.name, value: median(of('limit', 'requestsPerSecond')) },
      ratio: pairedRatio(of('product', 'requestsPerSecond'), of('limit', 'requestsPerSecond')),
      ...(more.goal === undefined ? {} : { goal: more.goal }),
      note: `${connections} connections, ${(more.bytes / 1024).toFixed(0)} KiB each, ${((rate * more.bytes) / 1e6).toFixed(0)} MB/s; p99 ${median(of('product', 'p99Ms')).toFixed(1)} ms; µs of CPU a request ${cpu('product')}, nginx ${cpu('limit')}`,
    }),
  ]
}

const finishTimeoutMs = 10 * 60_000

/** Answers the address of its multivariant playlist once all renditions are there. */
const uploadSource = async (context: BenchContext, product: Product, source: SampleSource): Promise<string> => {
  const path = await makeSampleSource(context.workFolder, source)
  const project = await product.call('POST', '/projects', {
    Name: source.codec,
    DefaultReleaseStatus: 'published',
    EncoderSettings: { UseEncoding: source.codec !== 'h264' },
  })
  const files = `/projects/${project.body.Id}/files`
  const { size } = await stat(path)
  const created = await product.call('POST', files, { FileName: basename(path), FileSize: size })
  context.say(`encoding ${source.seconds} s of ${source.codec}`)
  const put = await fetch(created.body.Upload.URI, { method: 'PUT', body: await openAsBlob(path) })
  if (!put.ok) throw new Error(`The PUT answered ${put.status}.`)
  const deadlineMs = performance.now() + finishTimeoutMs
  for (;;) {
    const { body: file } = await product.call('GET', `${files}/${created.body.Id}`)
    if (file.IsFinished === true) return file.Playouts[0].HLS
    if (file.HasErrors === true) throw new Error(`The file failed: ${file.ErrorMessage}`)
    if (performance.now() > deadlineMs) throw new Error('The file was not finished in time.')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** The rendition with the largest segments, and the one with the smallest pictures; without segments that are shorter than others. */
const renditionsOf = async (
  product: Product,
  multivariantUrl: string,
  filesFolder: string,
  how: string,
): Promise<[Segments, Segments]> => {
  const variants = uriLines(await textOf(multivariantUrl)).map((line) => new URL(line, multivariantUrl).href)
  const all: Segments[] = []
  for (const [variantIndex, variantUrl] of variants.entries()) {
    const lines = uriLines(await textOf(variantUrl)).slice(0, -1)
    const folder = `${how.replaceAll(' ', '-')}-${variantIndex}`
    const bodies = await Promise.all(lines.map((line) => bytesOf(new URL(line, variantUrl).href)))
    await makeFiles(filesFolder, folder, bodies)
    const meanBytes = bodies.reduce((sum, { length }) => sum + length, 0) / bodies.length
    all.push({
      name: `${how}, ${(meanBytes / 1024).toFixed(0)} KiB`,
      paths: lines.map((line) => new URL(line, variantUrl).href.slice(product.url.length)),
      meanBytes,
      filePaths: bodies.map((_, index) => `/${folder}-${index}.m4s`),
    })
  }
  const bySize = all.toSorted((a, b) => b.meanBytes - a.meanBytes)
  const [largest, smallest] = [bySize[0], bySize.at(-1)]
  if (largest === undefined || smallest === undefined) throw new Error('There are no renditions.')
  return [largest, smallest]
}

const makeFiles = async (filesFolder: string, name: string, bodies: readonly Buffer[]): Promise<void> => {
  for (const [index, body] of bodies.entries())
    await writeFile(join(filesFolder, `${name}-${index}.m4s`), body)
}

const uriLines = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

const bytesOf = async (url: string): Promise<Buffer> => {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}

const textOf = async (url: string): Promise<string> => (await bytesOf(url)).toString()
