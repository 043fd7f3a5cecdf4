import { openAsBlob } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runChild } from '../harness/child.ts'
import { writeJson } from '../harness/compare-reads.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { hasNginx, startNginx } from '../harness/nginx.ts'
import { makePackagedFile, type PackagedRendition } from '../content/packaged-file.ts'
import { cpuSecondsOf } from '../harness/proc.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Goal, type Row } from '../harness/row.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import type { LoadOptions, LoadResult } from '../processes/load-generator.ts'

const connections = 32
const accelPath = '/internal/media'
const KiB = 1024

interface Segments extends PackagedRendition {
  readonly name: string
}

interface Side {
  readonly port: number
  readonly processId: number
}

const atLeastHalf = { of: 'ratio', atLeast: 0.5 } as const

/**
 * Compares segments from the api process, alone and behind nginx, with nginx serving the same files itself.
 */
export const measureDelivery = async (context: BenchContext): Promise<Row[]> => {
  if (!hasNginx()) {
    context.say('left out: there is no nginx on this machine')
    return []
  }
  const dataFolder = await makeFolder(context, 'data')
  const blobsFolder = join(dataFolder, 'media', 'blobs')
  const bare = await startNginx(context, 'nginx', `root ${blobsFolder};`)
  const limit = { port: bare.port, processId: bare.workerProcessId }
  const product = await startProduct(context, dataFolder)
  const count = context.isQuick ? 16 : 30
  const [large, small] = await makePackagedFile(product, dataFolder, [
    Array.from({ length: count }, (_, index) => (1024 + (index * 1024) / count) * KiB),
    Array.from({ length: count }, (_, index) => Math.round(50 + (index * 150) / count) * KiB),
  ])
  if (large === undefined || small === undefined) throw new Error('There are no renditions.')
  const packaged = [
    { ...large, name: '1–2 MiB' },
    { ...small, name: '50–200 KiB' },
  ]
  const passthrough = {
    ...(await makePassthrough(context, product, blobsFolder)),
    name: 'cut from the source',
  }

  const rows: Row[] = []
  const compare = async (name: string, side: Side, all: readonly Segments[], goal?: Goal): Promise<void> => {
    for (const segments of all)
      rows.push(await compareSides(context, `${name}, ${segments.name}`, side, limit, segments, goal))
  }
  await compare('segments', apiOf(product), [...packaged, passthrough], atLeastHalf)
  await product.stop()

  const uncached = await startProduct(context, dataFolder, { ZOETROPE_MEDIA_MEMORY_BYTES: '0' })
  await compare('segments, none in memory', apiOf(uncached), [...packaged, passthrough])
  await uncached.stop()

  const behind = await startProduct(context, dataFolder, { ZOETROPE_ACCEL_REDIRECT: accelPath })
  const front = await startNginx(
    context,
    'front',
    `location / { proxy_pass http://zoetrope; proxy_http_version 1.1; proxy_set_header Connection ''; }
    location ${accelPath}/ { internal; alias ${blobsFolder}/; }`,
    `upstream zoetrope { server 127.0.0.1:${behind.port}; keepalive 32; }`,
  )
  const frontSide = { port: front.port, processId: front.workerProcessId }
  await compare('segments through nginx, X-Accel-Redirect', frontSide, packaged)
  await behind.stop()

  const kept = await startProduct(context, dataFolder)

  // As in docs/delivery.md: nginx caches a response for a second, then revalidates it.
  const keeping = await startNginx(
    context,
    'keeping',
    `location / {
      proxy_pass http://zoetrope; proxy_http_version 1.1; proxy_set_header Connection '';
      proxy_cache segments; proxy_cache_key $path_as_sent; proxy_cache_valid any 1s; proxy_ignore_headers Cache-Control;
      proxy_cache_revalidate on; proxy_cache_use_stale updating; proxy_cache_background_update on; tcp_nopush off;
    }`,
    `proxy_cache_path ${await makeFolder(context, 'segments')} keys_zone=segments:10m max_size=1g use_temp_path=off;
    map $request_uri $path_as_sent { "~^(?<before_query>[^?]*)" $before_query; }
    upstream zoetrope { server 127.0.0.1:${kept.port}; keepalive 32; }`,
  )
  const keepingSide = { port: keeping.port, processId: keeping.workerProcessId }
  await compare('segments kept by nginx for 1 s', keepingSide, [...packaged, passthrough], {
    of: 'ratio',
    atLeast: 0.9,
  })
  return rows
}

const apiOf = ({ port, apiProcessId }: Product): Side => ({ port, processId: apiProcessId })

interface Measured extends LoadResult {
  readonly cpuMicrosecondsPerRequest: number
}

const compareSides = async (
  context: BenchContext,
  name: string,
  product: Side,
  limit: Side,
  { paths, filePaths, meanBytes }: Segments,
  goal: Goal | undefined,
): Promise<Row> => {
  const [seconds, rounds] = context.isQuick ? [1, 3] : [3, 5]
  const measure =
    ({ port, processId }: Side, pathsPath: string) =>
    async (): Promise<Measured> => {
      const options: LoadOptions = { port, pathsPath, headers: {}, connections, seconds }
      const before = cpuSecondsOf(processId)
      const result = await runChild<LoadResult>('load-generator', options)
      const cpuSeconds = cpuSecondsOf(processId) - before
      return { ...result, cpuMicrosecondsPerRequest: (cpuSeconds * 1e6) / result.requests }
    }
  const sides = {
    product: measure(product, await writeJson(context, 'paths', paths)),
    limit: measure(limit, await writeJson(context, 'limit-paths', filePaths)),
  }
  context.say(`${name}: ${rounds} pairs of ${seconds} s`)
  await sides.product()
  await sides.limit()
  const results = await interleave(rounds, sides)
  const of = (side: keyof typeof results, key: keyof Measured): number[] =>
    results[side].map((one) => one[key])
  const rate = median(of('product', 'requestsPerSecond'))
  const cpu = (side: keyof typeof results): string => median(of(side, 'cpuMicrosecondsPerRequest')).toFixed(0)
  return makeRow({
    name,
    value: rate,
    unit: 'requests/s',
    limit: { name: 'nginx, same files', value: median(of('limit', 'requestsPerSecond')) },
    ratio: pairedRatio(of('product', 'requestsPerSecond'), of('limit', 'requestsPerSecond')),
    ...(goal === undefined ? {} : { goal }),
    note: `${connections} connections, ${(meanBytes / KiB).toFixed(0)} KiB each, ${((rate * meanBytes) / 1e6).toFixed(0)} MB/s; p99 ${median(of('product', 'p99Ms')).toFixed(1)} ms; CPU a request ${cpu('product')} µs, nginx ${cpu('limit')} µs`,
  })
}

const playableTimeoutMs = 60_000

/** Creates a conforming source, whose segments are cut on request, and stores these segments for nginx. */
const makePassthrough = async (
  context: BenchContext,
  product: Product,
  blobsFolder: string,
): Promise<PackagedRendition> => {
  const path = await makeSampleSource(context.workFolder, { codec: 'h264', container: 'mp4', seconds: 60 })
  const project = await product.call('POST', '/projects', {
    Name: 'Passthrough',
    DefaultReleaseStatus: 'published',
    EncoderSettings: { UseEncoding: false },
  })
  const files = `/projects/${project.body.Id}/files`
  const { size } = await stat(path)
  const created = await product.call('POST', files, { FileName: basename(path), FileSize: size })
  const put = await fetch(created.body.Upload.URI, { method: 'PUT', body: await openAsBlob(path) })
  if (!put.ok) throw new Error(`The PUT answered ${put.status}.`)
  const deadlineMs = performance.now() + playableTimeoutMs
  for (;;) {
    const { body: file } = await product.call('GET', `${files}/${created.body.Id}`)
    if (file.IsFinished === true) return readPassthrough(product, file.Playouts[0].HLS, blobsFolder)
    if (file.HasErrors === true) throw new Error(`The file failed: ${file.ErrorMessage}`)
    if (performance.now() > deadlineMs) throw new Error('The file was not finished in time.')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const readPassthrough = async (
  product: Product,
  multivariantUrl: string,
  blobsFolder: string,
): Promise<PackagedRendition> => {
  const [variant = ''] = uriLines((await load(multivariantUrl)).toString())
  const mediaUrl = new URL(variant, multivariantUrl).href
  const urls = uriLines((await load(mediaUrl)).toString()).map((line) => new URL(line, mediaUrl).href)
  await mkdir(join(blobsFolder, 'bench'), { recursive: true })
  const filePaths: string[] = []
  let totalBytes = 0
  for (const [index, url] of urls.entries()) {
    const body = await load(url)
    await writeFile(join(blobsFolder, 'bench', `${index}.m4s`), body)
    filePaths.push(`/bench/${index}.m4s`)
    totalBytes += body.length
  }
  return {
    paths: urls.map((url) => url.slice(product.url.length)),
    filePaths,
    meanBytes: totalBytes / urls.length,
  }
}

const uriLines = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

const load = async (url: string): Promise<Buffer> => {
  const response = await fetch(url)
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return Buffer.from(await response.arrayBuffer())
}
