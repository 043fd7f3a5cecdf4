import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startServer, type Server } from '../../harness/child.ts'
import type { BenchContext } from '../../harness/context.ts'
import { makeLiveStream, startLiveProduct } from '../../harness/live-stream.ts'
import { median } from '../../harness/measure.ts'
import { hasNginxRtmp, startNginxRtmp } from '../../harness/nginx-rtmp.ts'
import { cpuSecondsOf, residentMegabytes } from '../../harness/proc.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import { sharedClockMs } from '../../content/shared-clock.ts'
import { canConnect, until, untilSome } from '../../harness/wait.ts'
import type { LivePublishersOptions, PublishersStarted } from '../../processes/live-publishers.ts'
import type { Arrival } from '../../processes/webhook-receiver.ts'

const run = promisify(execFile)

/** Whole frames of both kinds: 480 video frames, 750 × 1024 samples. */
const mediaSeconds = 16
const fewStreams = 10
const levels = [1, fewStreams, 60] as const
const mostStreams = Math.max(...levels)
const comingSeconds = 5

type LiveProduct = Awaited<ReturnType<typeof startLiveProduct>>

/** Measures the cost of passthrough publishers for the live node, without viewers, encodes or recordings. */
export const measureLiveIngest = async (context: BenchContext): Promise<Row[]> => {
  const mediaPath = await makeMedia(context.workFolder)
  const { size: mediaBytes } = await stat(mediaPath)
  const started = await startReceiver(context)
  const product = await startLiveProduct(context, {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    OUTBOUND_ALLOW_HTTP: '1',
    // All publishers share one address.
    ZOETROPE_INGEST_CONNECTIONS_PER_ADDRESS: '0',
  })
  await product.call('POST', '/modules/notifications', {
    TargetURL: started.url,
    EventTypes: ['live.started'],
  })
  const startRow = await measureNodeStart(context, product)

  const streams: { projectId: number; streamKey: string }[] = []
  for (let index = 0; index < mostStreams; index += 1) streams.push(await makeLiveStream(product, {}))
  const nodeProcessId = await untilSome(product.liveProcessId, 'live node')
  const idle = await costOf(context, nodeProcessId)
  const idleMegabytes = residentMegabytes(nodeProcessId)
  const delaysMs: { readonly written: number; readonly received: number }[] = []
  const costs: (Cost & { readonly megabitsPerSecond: number })[] = []
  const stops: (() => Promise<void>)[] = []
  for (const [index, level] of levels.entries()) {
    context.say(`${level} publishers`)
    const coming = streams.slice(levels[index - 1] ?? 0, level)
    const { startedAtMs, stop } = await startPublishers(context, {
      mediaPath,
      port: product.rtmpPort,
      streamNames: coming.map(({ streamKey }) => streamKey),
    })
    stops.push(stop)
    for (const [at, { projectId }] of coming.entries()) {
      const sentMs = startedAtMs[at] ?? Number.NaN
      const { writtenMs, receivedMs } = await started.arrivalOf(projectId)
      delaysMs.push({ written: writtenMs - sentMs, received: receivedMs - sentMs })
    }
    // Separate processes make the first posters.
    await until(() => product.descendants().every(({ name }) => name !== 'ffmpeg'), 'end of the posters')
    const cost = await costOf(context, nodeProcessId)
    costs.push({ ...cost, megabitsPerSecond: await ingestMegabits(product, streams.slice(0, level)) })
  }
  for (const stop of stops) await stop()
  await product.stop()
  const nginx = await costOfNginx(context, mediaPath)

  return [
    ...levels.map((level, index) => {
      const { cores = 0, megabytes = 0, megabitsPerSecond = 0 } = costs[index] ?? {}
      const sentMegabits = (level * mediaBytes * 8) / mediaSeconds / 1e6
      // On an overloaded machine, publishers send less and the node looks cheaper.
      const isFull = megabitsPerSecond > 0.9 * sentMegabits
      return makeRow({
        name: `CPU of the live node per publisher, ${level} of them`,
        value: (100 * cores) / level,
        unit: '% of a core',
        ...(level === mostStreams && isFull ? { goal: { of: 'value' as const, atMost: 1 } } : {}),
        ...(level === mostStreams && nginx !== null
          ? { limit: { name: 'nginx-rtmp with HLS', value: (100 * nginx.cores) / level } }
          : {}),
        note: `${isFull ? '' : 'TOO BUSY, says nothing: '}720p, ${megabitsPerSecond.toFixed(1)} of ${sentMegabits.toFixed(1)} Mbit/s arrive in all; ${(100 * idle.cores).toFixed(1)} % with none; ${megabytes.toFixed(0)} MB`,
      })
    }),
    makeRow({
      name: `memory of the live node with ${mostStreams} publishers`,
      value: costs.at(-1)?.megabytes ?? Number.NaN,
      unit: 'MB',
      limit: { name: 'with none', value: idleMegabytes },
    }),
    startedRow(delaysMs),
    startRow,
  ]
}

const startedRow = (delaysMs: readonly { readonly written: number; readonly received: number }[]): Row => {
  const few = delaysMs.slice(0, fewStreams)
  const p50 = (values: readonly { written: number; received: number }[], which: 'written' | 'received') =>
    median(values.map((one) => one[which])) / 1_000
  return makeRow({
    name: `publish to live.started at a webhook, ${few.length} streams, p50`,
    value: p50(few, 'received'),
    unit: 's',
    goal: { of: 'value', atMost: 2 },
    note: `key frames 1 s apart; the event is of ${p50(few, 'written').toFixed(2)} s; all ${delaysMs.length}, of which 50 come within ${comingSeconds} s: ${p50(delaysMs, 'received').toFixed(2)} s`,
  })
}

const makeMedia = async (folder: string): Promise<string> => {
  const path = join(folder, 'media.flv')
  await run('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-f', 'lavfi'],
    ...['-i', `testsrc2=size=1280x720:rate=30:duration=${mediaSeconds},noise=alls=6:allf=t`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${mediaSeconds}`],
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '30'],
    ...['-b:v', '1900k', '-maxrate', '1900k', '-bufsize', '1900k', '-c:a', 'aac', '-b:a', '100k', path],
  ])
  return path
}

/** Times at which `live.started` of a project was written and received, by the shared clock. */
interface Started {
  readonly writtenMs: number
  readonly receivedMs: number
}

const startReceiver = async (context: BenchContext) => {
  const server = await startServer<{ port: number }, Arrival>('webhook-receiver', {})
  context.defer(server.stop)
  const arrivals = new Map<number, Started>()
  const sharedClockBeganMs = Date.now() - sharedClockMs()
  server.onMessage(({ body, atMs }) => {
    for (const { ProjectId, OccurredAt } of JSON.parse(body) as { ProjectId: number; OccurredAt: string }[])
      arrivals.set(ProjectId, { writtenMs: Date.parse(OccurredAt) - sharedClockBeganMs, receivedMs: atMs })
  })
  return {
    url: `http://127.0.0.1:${server.ready.port}/hook`,
    arrivalOf: (projectId: number) => untilSome(() => arrivals.get(projectId) ?? null, 'live.started'),
  }
}

const startPublishers = async (
  context: BenchContext,
  options: Pick<LivePublishersOptions, 'mediaPath' | 'port' | 'streamNames'>,
): Promise<PublishersStarted & Pick<Server<object, never>, 'stop'>> => {
  const publishers = await startServer<object, PublishersStarted>('live-publishers', {
    ...options,
    mediaSeconds,
    comingSeconds,
  } satisfies LivePublishersOptions)
  context.defer(publishers.stop)
  const { startedAtMs } = await new Promise<PublishersStarted>((resolve) => publishers.onMessage(resolve))
  return { startedAtMs, stop: publishers.stop }
}

/** The bit rate that the node reports: on an overloaded machine, publishers send less than they should. */
const ingestMegabits = async (
  product: LiveProduct,
  streams: readonly { readonly projectId: number }[],
): Promise<number> => {
  let bitsPerSecond = 0
  for (const { projectId } of streams) {
    const { body: status } = await product.call('GET', `/projects/${projectId}/live/status`)
    bitsPerSecond += (status.Video?.BitRate ?? 0) + (status.Audio?.BitRate ?? 0)
  }
  return bitsPerSecond / 1e6
}

interface Cost {
  readonly cores: number
  readonly megabytes: number
}

const costOf = async (context: BenchContext, processId: number): Promise<Cost> => {
  const startedMs = performance.now()
  const before = cpuSecondsOf(processId)
  await delay(context.isQuick ? 8_000 : 20_000)
  const cpuSeconds = cpuSecondsOf(processId) - before
  return {
    cores: (cpuSeconds * 1_000) / (performance.now() - startedMs),
    megabytes: residentMegabytes(processId),
  }
}

const costOfNginx = async (context: BenchContext, mediaPath: string): Promise<Cost | null> => {
  if (!hasNginxRtmp()) {
    context.say('without nginx-rtmp: libnginx-mod-rtmp is not on this machine')
    return null
  }
  context.say(`nginx-rtmp: ${mostStreams} publishers`)
  const { rtmpPort, workerProcessId } = await startNginxRtmp(context)
  const streamNames = Array.from({ length: mostStreams }, (_, index) => `stream-${index}`)
  const publishers = await startPublishers(context, { mediaPath, port: rtmpPort, streamNames })
  const cost = await costOf(context, workerProcessId)
  await publishers.stop()
  return cost
}

/**
 * Measures from the start of the live process, as its supervisor does after a crash, until it accepts
 * publishers.
 */
const measureNodeStart = async (context: BenchContext, product: LiveProduct): Promise<Row> => {
  const seconds: number[] = []
  const rounds = context.isQuick ? 1 : 3
  for (let round = 0; round < rounds; round += 1) {
    await until(() => canConnect(product.rtmpPort), 'live node')
    const killedId = await untilSome(product.liveProcessId, 'live node')
    process.kill(killedId, 'SIGKILL')
    const isNew = () => ![null, killedId].includes(product.liveProcessId())
    await until(isNew, 'next live node')
    const startedMs = sharedClockMs()
    await until(() => canConnect(product.rtmpPort), 'next live node')
    seconds.push((sharedClockMs() - startedMs) / 1_000)
  }
  return makeRow({
    name: 'start of the live process to its RTMP port, after kill -9',
    value: median(seconds),
    unit: 's',
    note: seconds.map((value) => value.toFixed(2)).join(' '),
  })
}
