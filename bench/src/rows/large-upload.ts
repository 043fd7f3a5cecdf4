import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { cpuSecondsOf, peakMegabytes, residentMegabytes, resetPeak } from '../harness/proc.ts'
import { startProduct } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { sendFile, watchUntilPlayable } from './playable.ts'

const seconds = 1_600

/** As phones write it: H.264 of 50 Mbit/s, the index last. Repeats four seconds without encoding them again. */
const makeLargeSource = async (folder: string): Promise<string> => {
  const run = (args: readonly string[]) => promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', ...args])
  const piece = join(folder, 'piece.mp4')
  const path = join(folder, 'large.mp4')
  await run([
    ...['-f', 'lavfi', '-i', 'testsrc2=size=3840x2160:rate=30:duration=4,noise=alls=12:allf=t'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=440:sample_rate=48000:duration=4'],
    ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '30', '-b:v', '50M'],
    ...['-minrate', '50M', '-maxrate', '50M', '-bufsize', '50M', '-x264-params', 'nal-hrd=cbr'],
    ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', piece],
  ])
  await run(['-stream_loop', '-1', '-i', piece, '-t', String(seconds), '-c', 'copy', path])
  return path
}

/** Takes a minute and 21 GB of disk, so it belongs to the long form. */
export const measureLargeUpload = async (context: BenchContext): Promise<Row[]> => {
  if (!context.isLong) return []
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const project = await product.call('POST', '/projects', {
    Name: 'Large',
    DefaultReleaseStatus: 'published',
  })
  const files = `/projects/${project.body.Id}/files`
  const path = await makeLargeSource(context.workFolder)
  const { size: sizeBytes } = await stat(path)
  const created = await product.call('POST', files, { FileName: 'large.mp4', FileSize: sizeBytes })
  const record = `${files}/${created.body.Id}`
  await promisify(execFile)('sync')
  const { apiProcessId } = product
  const before = { megabytes: residentMegabytes(apiProcessId), cpuSeconds: cpuSecondsOf(apiProcessId) }
  resetPeak(apiProcessId)
  const startedMs = performance.now()
  const { sentMs, answer } = await sendFile(created.body.Upload.URI, path, sizeBytes)
  const [answeredMs, { firstSegmentMs }] = await Promise.all([answer, watchUntilPlayable(product, record)])
  const gigabytes = sizeBytes / 1e9
  return [
    makeRow({
      name: 'last byte to first segment, 10 GB of 4K over PUT',
      value: (firstSegmentMs - sentMs) / 1000,
      unit: 's',
      note: `one upload at ${(gigabytes / ((sentMs - startedMs) / 1000)).toFixed(2)} GB/s, answered after ${((answeredMs - sentMs) / 1000).toFixed(3)} s`,
    }),
    makeRow({
      name: 'CPU of the api process for 1 GB of a large upload',
      value: (cpuSecondsOf(apiProcessId) - before.cpuSeconds) / gigabytes,
      unit: 's',
    }),
    makeRow({
      name: 'memory of the api process that a large upload adds, peak',
      value: peakMegabytes(apiProcessId) - before.megabytes,
      unit: 'MB',
    }),
  ]
}
