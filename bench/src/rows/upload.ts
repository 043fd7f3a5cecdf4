import { execFile } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runChild, startServer } from '../harness/child.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { cpuSecondsOf, resetPeak, peakMegabytes, residentMegabytes } from '../harness/proc.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import type { SocketSinkOptions } from '../processes/socket-sink.ts'
import type { UploadClientOptions, UploadResult } from '../processes/upload-client.ts'

const run = promisify(execFile)
const MiB = 1024 * 1024

interface Measured {
  readonly megabytesPerSecond: number
  /** CPU time of the receiver; 0 for cp. */
  readonly cpuSecondsPerGiB: number
}

/**
 * Compares the PUT of a large file from its own client process with cp and with a bare socket receiver, each
 * synced to disk.
 */
export const measureUpload = async (context: BenchContext): Promise<Row[]> => {
  const sizeBytes = (context.isQuick ? 128 : 512) * MiB
  const rounds = context.isQuick ? 2 : 5
  const sourcePath = join(context.workFolder, 'source.bin')
  await writeRandomFile(sourcePath, sizeBytes)
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const project = await product.call('POST', '/projects', { Name: 'Uploads' })

  const sinkPath = join(context.workFolder, 'sink.bin')
  const sink = await startServer<{ port: number }>('socket-sink', {
    filePath: sinkPath,
    sizeBytes,
  } satisfies SocketSinkOptions)
  context.defer(sink.stop)
  const toMeasured = (seconds: number, cpuSeconds: number): Measured => ({
    megabytesPerSecond: sizeBytes / 1e6 / seconds,
    cpuSecondsPerGiB: (cpuSeconds * 1024 * MiB) / sizeBytes,
  })

  const send = async (processId: number, options: UploadClientOptions): Promise<Measured> => {
    const before = cpuSecondsOf(processId)
    const { seconds } = await runChild<UploadResult>('upload-client', options)
    return toMeasured(seconds, cpuSecondsOf(processId) - before)
  }

  const sides = {
    product: async () => {
      const files = `/projects/${project.body.Id}/files`
      const created = await product.call('POST', files, { FileName: 'bytes.mp4', FileSize: sizeBytes })
      const { pathname } = new URL(created.body.Upload.URI)
      const measured = await send(product.apiProcessId, {
        port: product.port,
        head: `PUT ${pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${sizeBytes}\r\n\r\n`,
        source: sourcePath,
        expectedAnswer: 'HTTP/1.1 200 ',
      })
      await untilFailed(product, `${files}/${created.body.Id}`)
      await product.call('DELETE', `${files}/${created.body.Id}`)
      return measured
    },
    sink: async () => {
      const measured = await send(sink.processId, {
        port: sink.ready.port,
        head: '',
        source: sourcePath,
        expectedAnswer: 'done',
      })
      await rm(sinkPath)
      return measured
    },
    cp: async () => {
      const copyPath = join(context.workFolder, 'copy.bin')
      const startedMs = performance.now()
      await run('cp', ['--reflink=never', sourcePath, copyPath])
      await run('sync', ['--data', copyPath])
      const seconds = (performance.now() - startedMs) / 1000
      await rm(copyPath)
      return toMeasured(seconds, 0)
    },
  }

  context.say(`${rounds} × ${sizeBytes / MiB} MiB by PUT, socket and cp`)
  // Data of the preparations not yet on disk would be written during the first measurement.
  await run('sync')
  const residentBefore = residentMegabytes(product.apiProcessId)
  resetPeak(product.apiProcessId)
  await sides.product()
  await sides.sink()
  const results = await interleave(rounds, sides)
  const peak = peakMegabytes(product.apiProcessId)
  const long = context.isLong ? [await measureLongUpload(context, product, project.body.Id)] : []

  const speeds = (side: keyof typeof sides): number[] =>
    results[side].map(({ megabytesPerSecond }) => megabytesPerSecond)
  const cpu = (side: keyof typeof sides): number[] =>
    results[side].map(({ cpuSecondsPerGiB }) => cpuSecondsPerGiB)
  const spread = (values: number[]): string => values.map((value) => value.toFixed(0)).join(' ')
  return [
    makeRow({
      name: 'upload by PUT',
      value: median(speeds('product')),
      unit: 'MB/s',
      limit: { name: 'cp + fdatasync', value: median(speeds('cp')) },
      ratio: pairedRatio(speeds('product'), speeds('cp')),
      note: `${sizeBytes / MiB} MiB each: PUT ${spread(speeds('product'))}, cp ${spread(speeds('cp'))}`,
    }),
    makeRow({
      name: 'upload by PUT',
      value: median(speeds('product')),
      unit: 'MB/s',
      limit: { name: 'socket to file + fdatasync', value: median(speeds('sink')) },
      ratio: pairedRatio(speeds('product'), speeds('sink')),
      goal: { of: 'ratio', atLeast: 0.8 },
      note: `socket ${spread(speeds('sink'))}`,
    }),
    makeRow({
      name: 'upload by PUT, CPU',
      value: median(cpu('product')),
      unit: 's/GiB',
      limit: { name: 'socket to file', value: median(cpu('sink')) },
      ratio: pairedRatio(cpu('product'), cpu('sink')),
      goal: { of: 'ratio', atMost: 1.6 },
      note: 'of the API process',
    }),
    makeRow({
      name: 'memory while uploading, peak',
      value: peak,
      unit: 'MB',
      limit: { name: 'before', value: residentBefore },
      note: `resident memory of the API process; ${residentMegabytes(product.apiProcessId).toFixed(0)} MB after ${rounds + 1} uploads`,
    }),
    ...long,
  ]
}

const longSizeBytes = 20e9

/**
 * Uploads twenty gigabytes, or half of the free disk space, and compares the memory at the end with that
 * after the first gigabyte.
 */
const measureLongUpload = async (
  context: BenchContext,
  product: Product,
  projectId: number,
): Promise<Row> => {
  const { bavail, bsize } = await statfs(context.workFolder)
  const sizeBytes = Math.min(longSizeBytes, Math.floor((bavail * bsize) / 2))
  context.say(`one upload of ${(sizeBytes / 1e9).toFixed(1)} GB`)
  const files = `/projects/${projectId}/files`
  const created = await product.call('POST', files, { FileName: 'long.mp4', FileSize: sizeBytes })
  const uri = created.body.Upload.URI as string
  const sending = runChild<UploadResult>('upload-client', {
    port: product.port,
    head: `PUT ${new URL(uri).pathname} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${sizeBytes}\r\n\r\n`,
    source: sizeBytes,
    expectedAnswer: 'HTTP/1.1 200 ',
  } satisfies UploadClientOptions)
  const offset = async (): Promise<number> =>
    Number((await fetch(uri, { method: 'HEAD' })).headers.get('upload-offset'))
  while ((await offset()) < 1e9) await new Promise((resolve) => setTimeout(resolve, 100))
  resetPeak(product.apiProcessId)
  while ((await offset()) < 2e9) await new Promise((resolve) => setTimeout(resolve, 100))
  const early = peakMegabytes(product.apiProcessId)
  const { seconds } = await sending
  const peak = peakMegabytes(product.apiProcessId)
  await product.call('DELETE', `${files}/${created.body.Id}`)
  return makeRow({
    name: `memory while uploading ${(sizeBytes / 1e9).toFixed(0)} GB, peak`,
    value: peak,
    unit: 'MB',
    limit: { name: 'in the second gigabyte', value: early },
    goal: { of: 'ratio', atMost: 1.2 },
    note: `resident memory of the API process; ${(sizeBytes / 1e6 / seconds).toFixed(0)} MB/s`,
  })
}

/** Random bytes, so that no storage layer can compress or skip them. */
export const writeRandomFile = async (path: string, sizeBytes: number): Promise<void> => {
  await using handle = await open(path, 'w')
  const block = Buffer.alloc(MiB)
  for (let written = 0; written < sizeBytes; written += MiB) await handle.write(randomFillSync(block))
}

/** Random bytes are no video: the file fails soon after its last byte. */
export const untilFailed = async (product: Product, path: string): Promise<void> => {
  while ((await product.call('GET', path)).body.IsFinished !== true)
    await new Promise((resolve) => setTimeout(resolve, 50))
}
