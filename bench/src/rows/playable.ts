import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { basename } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { median, percentile } from '../harness/measure.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { makeSampleSource, type SampleSource } from '../content/sample-media.ts'

const pollMs = 5
const timeoutMs = 60_000
/** No encoder may have run for this long before the next file starts. */
const idleMs = 1_000

interface Case {
  readonly name: string
  readonly source: SampleSource
  readonly goals: Goals
}

interface Goals {
  readonly p50Seconds: number
  readonly p95Seconds: number
}

/** Goals for sources that play as passthrough, at any length, and for all others. */
const conformingGoals = { p50Seconds: 0.08, p95Seconds: 0.12 }
const otherGoals = { p50Seconds: 0.7, p95Seconds: 0.7 }

const aCase = (minutes: number, what: string, source: Omit<SampleSource, 'seconds'>): Case => ({
  name: `${minutes} min ${what}`,
  source: { ...source, seconds: 60 * minutes },
  goals: source.codec === 'h264' ? conformingGoals : otherGoals,
})

const cases: readonly Case[] = [
  aCase(1, 'H.264 MP4', { codec: 'h264', container: 'mp4' }),
  aCase(10, 'H.264 MP4', { codec: 'h264', container: 'mp4' }),
  aCase(60, 'H.264 MP4', { codec: 'h264', container: 'mp4', bitRate: '1M' }),
  ...[1, 10].flatMap((minutes) => [
    aCase(minutes, 'HEVC MKV', { codec: 'hevc', container: 'mkv' }),
    aCase(minutes, 'VP9 WebM', { codec: 'vp9', container: 'webm' }),
    aCase(minutes, 'ProRes MOV', { codec: 'prores', container: 'mov' }),
  ]),
]

/** A quick run skips the sources of several gigabytes. */
const quickCases = cases.filter(({ source }) => source.seconds === 60)

/** Seconds since the last byte was sent. */
interface Measured {
  readonly answered: number
  readonly playable: number
  readonly firstSegment: number
}

/**
 * Measures from the last byte of an upload to the first segment that a player would load, on an otherwise
 * idle machine.
 */
export const measurePlayable = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const project = await product.call('POST', '/projects', {
    Name: 'Playable',
    DefaultReleaseStatus: 'published',
  })
  const files = `/projects/${project.body.Id}/files`
  const rows: Row[] = []
  for (const { name, source, goals } of context.isQuick ? quickCases : cases) {
    // An index at the start would let a long upload play before its end, which is another group.
    const path = await makeSampleSource(context.workFolder, { ...source, isIndexFirst: false })
    const { size: sizeBytes } = await stat(path)
    const runs = context.isQuick ? 2 : 10
    context.say(`${name}: ${runs} uploads of ${(sizeBytes / 1e6).toFixed(0)} MB`)
    await promisify(execFile)('sync')
    // The first file of an installation has cold caches, so it is not measured.
    const measured: Measured[] = []
    for (let run = 0; run <= runs; run += 1) {
      const one = await measureOnce(product, files, path, sizeBytes)
      if (run > 0) measured.push(one)
    }
    await rm(path)
    rows.push(...rowsOf(name, goals, measured, sizeBytes))
  }
  return rows
}

const rowsOf = (
  name: string,
  { p50Seconds, p95Seconds }: Goals,
  measured: readonly Measured[],
  sizeBytes: number,
): Row[] => {
  const totals = measured.map(({ firstSegment }) => firstSegment)
  const part = (pick: (one: Measured) => number): string => median(measured.map(pick)).toFixed(3)
  const parts = [
    `PUT answered after ${part(({ answered }) => answered)}`,
    `+ ${part(({ answered, playable }) => playable - answered)} to IsPlayable`,
    `+ ${part(({ playable, firstSegment }) => firstSegment - playable)} for playlists, init and first segment`,
  ]
  return [
    makeRow({
      name: `time to playable, ${name}, p50`,
      value: percentile(totals, 50),
      unit: 's',
      goal: { of: 'value', atMost: p50Seconds },
      note: `${(sizeBytes / 1e6).toFixed(0)} MB; medians in s: ${parts.join(' ')}; runs ${totals.map((one) => one.toFixed(2)).join(' ')}`,
    }),
    makeRow({
      name: `time to playable, ${name}, p95`,
      value: percentile(totals, 95),
      unit: 's',
      goal: { of: 'value', atMost: p95Seconds },
    }),
  ]
}

const measureOnce = async (
  product: Product,
  files: string,
  path: string,
  sizeBytes: number,
): Promise<Measured> => {
  const created = await product.call('POST', files, { FileName: basename(path), FileSize: sizeBytes })
  const record = `${files}/${created.body.Id}`
  const { sentMs, answer } = await sendFile(created.body.Upload.URI, path, sizeBytes)
  const [answeredMs, { playableMs, firstSegmentMs }] = await Promise.all([
    answer,
    watchUntilPlayable(product, record),
  ])
  await product.call('DELETE', record)
  await untilIdle(product)
  const since = (ms: number): number => (ms - sentMs) / 1000
  return { answered: since(answeredMs), playable: since(playableMs), firstSegment: since(firstSegmentMs) }
}

/** Resolves when the kernel has taken the last byte; `answer` resolves with the response to the PUT. */
export const sendFile = async (
  uploadUrl: string,
  path: string,
  sizeBytes: number,
): Promise<{ sentMs: number; answer: Promise<number> }> => {
  const put = request(uploadUrl, { method: 'PUT', headers: { 'Content-Length': sizeBytes } })
  const answer = new Promise<number>((resolve, reject) => {
    put.on('error', reject)
    put.on('response', (response) => {
      if (response.statusCode !== 200) reject(new Error(`The PUT answered ${response.statusCode}.`))
      response.resume().on('end', () => resolve(performance.now()))
    })
  })
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), put)
  return { sentMs: performance.now(), answer }
}

export const watchUntilPlayable = async (
  product: Product,
  record: string,
): Promise<{ playableMs: number; firstSegmentMs: number }> => {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const { body: file } = await product.call('GET', record)
    if (file.IsPlayable === true) {
      const playableMs = performance.now()
      await loadFirstSegment(file.Playouts[0].HLS)
      return { playableMs, firstSegmentMs: performance.now() }
    }
    if (file.HasErrors === true) throw new Error(`The file failed: ${file.ErrorMessage}`)
    if (performance.now() > deadlineMs) throw new Error(`Not playable within ${timeoutMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

/**
 * Loads the resources that a player needs for the first frame: both playlists, the init segment, the first
 * segment.
 */
const loadFirstSegment = async (multivariantUrl: string): Promise<void> => {
  const multivariant = await loadPlaylist(multivariantUrl)
  const variant = uriLines(multivariant)[0] ?? ''
  const mediaUrl = new URL(variant, multivariantUrl).href
  const media = await loadPlaylist(mediaUrl)
  const init = /#EXT-X-MAP:URI="([^"]+)"/.exec(media)?.[1]
  if (init !== undefined) await load(new URL(init, mediaUrl).href)
  await load(new URL(uriLines(media)[0] ?? '', mediaUrl).href)
}

const uriLines = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

const loadPlaylist = async (url: string): Promise<string> => (await load(url)).toString('utf8')

/** Reads bytes, because decoding a segment as text takes 20 ms and no player does it. */
const load = async (url: string): Promise<Buffer> => {
  const response = await fetch(url)
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${body.toString('utf8', 0, 500)}`)
  return body
}

/** Jobs of deleted files stop within two seconds and would slow the next file down until then. */
export const untilIdle = async (product: Product): Promise<void> => {
  let quietSinceMs = performance.now()
  const isEncoding = (): boolean =>
    product.descendants().some(({ name }) => name === 'ffmpeg' || name === 'ffprobe')
  while (performance.now() - quietSinceMs < idleMs) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (isEncoding()) quietSinceMs = performance.now()
  }
}
