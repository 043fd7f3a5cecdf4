import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { median, percentile } from '../harness/measure.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import { watchUntilPlayable } from './playable.ts'

/** A connection of 16 Mbit/s, common for offices: a minute of 3 Mbit/s takes eleven seconds. */
const bytesPerSecond = 2_000_000
const paceMs = 20
const sourceSeconds = 60

interface Measured {
  readonly seconds: number
  readonly sentRatio: number
}

export const measurePlayWhileUploading = async (context: BenchContext): Promise<Row[]> => {
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const project = await product.call('POST', '/projects', {
    Name: 'Play while uploading',
    DefaultReleaseStatus: 'published',
  })
  const source = await makeSampleSource(context.workFolder, {
    codec: 'h264',
    container: 'mp4',
    seconds: sourceSeconds,
  })
  const path = join(context.workFolder, 'fast-start.mp4')
  await promisify(execFile)('ffmpeg', [
    ...['-nostdin', '-v', 'error', '-i', source, '-c', 'copy', '-movflags', '+faststart', path],
  ])
  const bytes = await readFile(path)
  const runs = context.isQuick ? 2 : 10
  context.say(`${runs} slow uploads of ${(bytes.length / 1e6).toFixed(0)} MB, as far as they have to come`)
  const measured: Measured[] = []
  // The first file of an installation has cold caches, so it is not measured.
  for (let run = 0; run <= runs; run += 1) {
    const one = await measureOnce(product, `/projects/${project.body.Id}/files`, bytes)
    if (run > 0) measured.push(one)
  }
  const seconds = measured.map((one) => one.seconds)
  const sentPercent = 100 * median(measured.map(({ sentRatio }) => sentRatio))
  const neededSeconds = Math.ceil((await neededBytes(path)) / (bytesPerSecond / 10)) / 10
  return [
    makeRow({
      name: 'first byte to playable while uploading, 1 min H.264 at 16 Mbit/s, p50',
      value: percentile(seconds, 50),
      unit: 's',
      goal: { of: 'value', atMost: neededSeconds + 2 },
      note: `${sentPercent.toFixed(1)} % sent by then; index and first segments take ${neededSeconds.toFixed(2)} s to send`,
    }),
    makeRow({
      name: 'first byte to playable while uploading, p95',
      value: percentile(seconds, 95),
      unit: 's',
      goal: { of: 'value', atMost: neededSeconds + 2.5 },
    }),
  ]
}

/** Returns the end of the first four seconds of video and audio. */
const neededBytes = async (path: string): Promise<number> => {
  const { stdout } = await promisify(execFile)('ffprobe', [
    ...['-v', 'error', '-read_intervals', '%+4', '-show_entries', 'packet=pos,size', '-of', 'csv=p=0', path],
  ])
  const ends = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number))
    .map(([size = 0, position = 0]) => size + position)
  return Math.max(...ends)
}

const measureOnce = async (product: Product, files: string, bytes: Buffer): Promise<Measured> => {
  const created = await product.call('POST', files, { FileName: 'slow.mp4', FileSize: bytes.length })
  const record = `${files}/${created.body.Id}`
  const put = request(created.body.Upload.URI, {
    method: 'PUT',
    headers: { 'Content-Length': bytes.length },
  })
  put.on('error', () => {})
  const startedMs = performance.now()
  let sentBytes = 0
  const sending = new AbortController()
  const send = async (): Promise<void> => {
    while (sentBytes < bytes.length && !sending.signal.aborted) {
      const due = Math.min(
        bytes.length,
        Math.floor(((performance.now() - startedMs) / 1000) * bytesPerSecond),
      )
      if (due > sentBytes) put.write(bytes.subarray(sentBytes, due))
      sentBytes = Math.max(sentBytes, due)
      await sleep(paceMs)
    }
  }
  const sent = send()
  const { firstSegmentMs } = await watchUntilPlayable(product, record)
  const sentRatio = sentBytes / bytes.length
  sending.abort()
  await sent
  put.destroy()
  await product.call('DELETE', record)
  return { seconds: (firstSegmentMs - startedMs) / 1000, sentRatio }
}
