import { randomUUID } from 'node:crypto'
import { startServer } from '../../harness/child.ts'
import { compareWithRaw } from '../../harness/compare-reads.ts'
import type { BenchContext } from '../../harness/context.ts'
import { percentile } from '../../harness/measure.ts'
import { cpuSecondsOf, residentMegabytes } from '../../harness/proc.ts'
import { makeRow, type Row } from '../../harness/row.ts'
import type { LiveAudienceOptions, LiveAudienceResult } from '../../processes/live-audience.ts'
import type { LiveNodeOptions, PartMade } from '../../processes/live-node.ts'

const partTargetSeconds = 0.334

/**
 * Measures the cost of LL-HLS viewers of one broadcast with video and audio and without lower rungs, and
 * compares the responses with plain node:http.
 */
export const measureLiveViewers = async (context: BenchContext): Promise<Row[]> => [
  ...(await measureAudience(context)),
  ...(await compareAnswers(context)),
]

const startNode = async (context: BenchContext, windowSeconds: number) => {
  const playoutId = randomUUID()
  const options: LiveNodeOptions = { playoutId, partTargetSeconds, windowSeconds }
  const node = await startServer<{ port: number }, PartMade>('live-node', options)
  context.defer(node.stop)
  return { ...node, playoutId, port: node.ready.port }
}

const measureAudience = async (context: BenchContext): Promise<Row[]> => {
  const node = await startNode(context, 30)
  const madeAtMs = new Map<string, number>()
  node.onMessage(({ part, atMs }) => madeAtMs.set(part, atMs))
  const [viewers, seconds] = context.isQuick ? [400, 6] : [1_000, 20]
  context.say(`${viewers} viewers for ${seconds} s`)
  const audience = await startServer<object, LiveAudienceResult>('live-audience', {
    port: node.port,
    playoutId: node.playoutId,
    viewers,
    seconds,
  } satisfies LiveAudienceOptions)
  const partsBefore = madeAtMs.size
  const cpuBefore = cpuSecondsOf(node.processId)
  let megabytesHalfWay = 0
  setTimeout(() => (megabytesHalfWay = residentMegabytes(node.processId)), seconds * 500)
  const { requests, arrivals, tracks } = await new Promise<LiveAudienceResult>((resolve) =>
    audience.onMessage(resolve),
  )
  const cpuSeconds = cpuSecondsOf(node.processId) - cpuBefore
  const megabytes = residentMegabytes(node.processId)
  const partsMade = madeAtMs.size - partsBefore
  await audience.stop()
  await node.stop()

  const delaysMs = Object.entries(arrivals).flatMap(([part, atMs]) => {
    const madeMs = madeAtMs.get(part)
    return madeMs === undefined ? [] : atMs.map((ms) => ms - madeMs)
  })
  // Derives the number of viewers from the requests served: on an overloaded machine, viewers get less than
  // they request.
  const requestsPerViewer = 2 * tracks * partsMade
  return [
    makeRow({
      name: 'LL-HLS viewers on one core',
      value: (seconds * requests) / (cpuSeconds * requestsPerViewer),
      unit: 'viewers',
      goal: { of: 'value', atLeast: 2_000 },
      note: `of ${viewers}: ${(requests / seconds).toFixed(0)} requests/s, ${((cpuSeconds * 1e6) / requests).toFixed(1)} µs each, ${((100 * requests) / (viewers * requestsPerViewer)).toFixed(0)} % of what they ask for; parts of ${partTargetSeconds} s`,
    }),
    makeRow({
      name: 'part made to part received, p95',
      value: percentile(delaysMs, 95),
      unit: 'ms',
      goal: { of: 'value', atMost: 150 },
      note: `p50 ${percentile(delaysMs, 50).toFixed(0)} ms, ${delaysMs.length} parts, by way of the playlist that lists it`,
    }),
    makeRow({
      name: `memory of the node after ${seconds} s with ${viewers} viewers`,
      value: megabytes,
      unit: 'MB',
      limit: { name: 'half way', value: megabytesHalfWay },
      goal: { of: 'ratio', atMost: 1.15 },
    }),
  ]
}

const compareAnswers = async (context: BenchContext): Promise<Row[]> => {
  // Media must stay in the window during the requests.
  const node = await startNode(context, 240)
  const base = `/l/${node.playoutId}`
  const url = `http://127.0.0.1:${node.port}`
  const newest = await (await fetch(`${url}${base}/video/live.m3u8`)).text()
  const parts = [...newest.matchAll(/#EXT-X-PART:[^\n]*URI="([^"]+)"/g)].map(
    ([, uri]) => `${base}/video/${uri}`,
  )
  const rows = await compareWithRaw(
    context,
    { port: node.port, url, apiKey: 'none', apiProcessId: node.processId },
    {
      name: 'parts and playlists in turn',
      paths: parts.flatMap((part) => [part, `${base}/video/live.m3u8?_HLS_skip=YES`]),
      goal: { of: 'ratio', atLeast: 0.6 },
    },
  )
  await node.stop()
  return rows
}
