import { openAsBlob } from 'node:fs'
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { s3Settings, startS3Server } from '../../../server/test/support/s3-server.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import { runChild, startServer } from '../harness/child.ts'
import type { BenchContext } from '../harness/context.ts'
import { makeLiveStream, startLiveProduct } from '../harness/live-stream.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { formatNumber } from '../harness/table.ts'
import type { LivePublishersOptions, PublishersStarted } from '../processes/live-publishers.ts'
import type { SinkOptions } from '../processes/webhook-sink.ts'
import type { UploadClientOptions, UploadResult } from '../processes/upload-client.ts'
import { untilFinished } from '../rows/whole-file.ts'
import { startCountingProxy } from './counting-proxy.ts'
import { minus, startMeter, times, type Cost } from './meter.ts'

const run = promisify(execFile)

const unitsOf: Readonly<Record<keyof Cost, readonly [unit: string, scale: number]>> = {
  api: ['CPU ms of api', 1e3],
  worker: ['CPU ms of worker', 1e3],
  live: ['CPU ms of live', 1e3],
  media: ['CPU ms of ffmpeg', 1e3],
  postgres: ['CPU ms of PostgreSQL', 1e3],
  transactions: ['transactions', 1],
  rows: ['rows written', 1],
  walBytes: ['kB of WAL', 1e-3],
  writes: ['S3 writes', 1],
  reads: ['S3 reads', 1],
  deletes: ['S3 deletes', 1],
  sentBytes: ['MB to S3', 1e-6],
  receivedBytes: ['MB from S3', 1e-6],
}

const rowsOf = (name: string, cost: Cost): Row[] =>
  (Object.keys(unitsOf) as (keyof Cost)[]).map((key) =>
    makeRow({ name, value: cost[key] * unitsOf[key][1], unit: unitsOf[key][0] }),
  )

/**
 * Measures the unit costs with media on S3: processor by process, transactions, rows and WAL of PostgreSQL, requests and
 * bytes of S3. The cost of an idle installation is left out.
 */
export const measureUnitCosts = async (context: BenchContext): Promise<Row[]> => {
  const s3 = await startS3Server()
  if ('unavailable' in s3) {
    context.say(`left out: ${s3.unavailable}`)
    return []
  }
  context.defer(s3.stop)
  const proxy = await startCountingProxy(s3.endpoint)
  context.defer(proxy.stop)
  const product = await startLiveProduct(context, {
    ...s3Settings({ ...s3, endpoint: proxy.endpoint }),
    ZOETROPE_LIVE_DVR: 'media',
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    OUTBOUND_ALLOW_HTTP: '1',
  })
  const { measure, measureIdle } = await startMeter(context, product, proxy.read)
  const rows: Row[] = []
  const add = (name: string, cost: Cost): void => {
    const found = rowsOf(name, cost)
    rows.push(...found)
    context.say(`${name}: ${found.map(({ value, unit }) => `${formatNumber(value)} ${unit}`).join(', ')}`)
  }
  await delay(5_000)
  context.say('an idle installation')
  add('a second of an idle installation', await measureIdle(context.isQuick ? 20 : 60))

  const project = await product.call('POST', '/projects', {
    Name: 'Units',
    DefaultReleaseStatus: 'published',
    EncoderSettings: { LadderMode: 'eager' },
  })
  const files = `/projects/${project.body.Id}/files`

  context.say('uploads')
  const uploadBytes = (context.isQuick ? 64 : 256) * 1024 * 1024
  const upload = await measure(async () => {
    const created = await product.call('POST', files, { FileName: 'bytes.mp4', FileSize: uploadBytes })
    const { pathname } = new URL(created.body.Upload.URI)
    await runChild<UploadResult>('upload-client', {
      port: product.port,
      head: `PUT ${pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${uploadBytes}\r\n\r\n`,
      source: uploadBytes,
      expectedAnswer: 'HTTP/1.1 200 ',
    } satisfies UploadClientOptions)
  })
  add('an uploaded gigabyte', times(upload, 1e9 / uploadBytes))

  context.say('encodes')
  const encode = async (seconds: number) => {
    const path = await makeSampleSource(context.workFolder, {
      codec: 'h264',
      container: 'mp4',
      seconds,
      bitRate: '8M',
    })
    const { size } = await stat(path)
    let file: { Renditions: { Size: number }[]; Playouts: { HLS: string; EmbedURI: string }[] } | null = null
    const cost = await measure(async () => {
      const created = await product.call('POST', files, { FileName: basename(path), FileSize: size })
      const put = await fetch(created.body.Upload.URI, { method: 'PUT', body: await openAsBlob(path) })
      if (!put.ok) throw new Error(`The PUT answered ${put.status}.`)
      file = await untilFinished(product, `${files}/${created.body.Id}`)
    })
    return { cost, file, size }
  }
  const [shortSeconds, longSeconds] = context.isQuick ? [3, 9] : [10, 70]
  const short = await encode(shortSeconds)
  const long = await encode(longSeconds)
  const perMinute = times(minus(long.cost, short.cost), 60 / (longSeconds - shortSeconds))
  add('an encoded minute of 1080p', perMinute)
  add('a file, beside its minutes', minus(short.cost, times(perMinute, shortSeconds / 60)))

  context.say('plays')
  const { HLS = '', EmbedURI = '' } =
    (long.file as { Playouts: { HLS: string; EmbedURI: string }[] } | null)?.Playouts[0] ?? {}
  const text = async (url: string): Promise<string> => {
    const response = await fetch(url)
    if (!response.ok) throw new Error(`${url} answered ${response.status}`)
    return (await response.arrayBuffer().then((bytes) => Buffer.from(bytes))).toString('latin1')
  }
  const linesOf = (list: string): string[] =>
    list.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const media = new URL(linesOf(await text(HLS))[0] ?? '', HLS).href
  const segments = linesOf(await text(media)).map((line) => new URL(line, media).href)
  const repeat = async (count: number, urls: readonly string[]): Promise<void> => {
    for (let index = 0; index < count; index += 1) for (const url of urls) await text(url)
  }
  const cold = await measure(() => repeat(1, segments))
  add('a segment that the api process reads from S3', times(cold, 1 / segments.length))
  const rounds = context.isQuick ? 5 : 40
  const warm = await measure(() => repeat(rounds, segments))
  add('a segment that it has in memory', times(warm, 1 / (rounds * segments.length)))
  const starts = context.isQuick ? 50 : 500
  add(
    'the start of a play: page and playlists',
    times(await measure(() => repeat(starts, [EmbedURI, HLS, media])), 1 / starts),
  )

  context.say('webhooks')
  const updates = context.isQuick ? 200 : 2_000
  const { body: file } = await product.call('POST', files, { FileName: 'updated.mp4' })
  const update = () =>
    measure(async () => {
      for (let index = 0; index < updates; index += 1)
        await product.call('PUT', `${files}/${file.Id}/metadata`, { Title: `Title ${index}` })
    })
  const without = await update()
  add('a change of a record', times(without, 1 / updates))
  const sink = await startServer<{ port: number }>('webhook-sink', { batch: updates } satisfies SinkOptions)
  context.defer(sink.stop)
  const hook = { TargetURL: `http://127.0.0.1:${sink.ready.port}/hook`, EventTypes: ['file.updated'] }
  await product.call('POST', '/modules/notifications', hook)
  add('a webhook delivery', times(minus(await update(), without), 1 / updates))

  context.say('live streams')
  const streams: string[] = []
  for (let index = 0; index < 5; index += 1)
    streams.push((await makeLiveStream(product, { TimeshiftDuration: 600 })).streamKey)
  const mediaPath = await makeLiveMedia(context.workFolder)
  const publishers = await startServer<object, PublishersStarted>('live-publishers', {
    ...{
      mediaPath,
      mediaSeconds: liveSeconds,
      port: product.rtmpPort,
      streamNames: streams,
      comingSeconds: 1,
    },
  } satisfies LivePublishersOptions)
  context.defer(publishers.stop)
  await delay(10_000)
  const seconds = context.isQuick ? 20 : 60
  const live = await measure(() => delay(seconds * 1_000))
  add('a minute of a live stream', times(live, 60 / ((seconds + 11) * streams.length)))
  await publishers.stop()
  return rows
}

const liveSeconds = 16

const makeLiveMedia = async (folder: string): Promise<string> => {
  const path = join(folder, 'live.flv')
  const picture = `testsrc2=size=1280x720:rate=30:duration=${liveSeconds},noise=alls=6:allf=t`
  await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-f', 'lavfi', '-i', picture],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${liveSeconds}`],
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '60'],
    ...['-b:v', '1900k', '-maxrate', '1900k', '-bufsize', '1900k', '-c:a', 'aac', '-b:a', '100k', path],
  ])
  return path
}
