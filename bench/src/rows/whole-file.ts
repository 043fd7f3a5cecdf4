import { mkdtemp, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { runChild } from '../harness/child.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import type { EncodeLadderOptions, EncodeLadderResult } from '../processes/encode-ladder.ts'
import { sendFile } from './playable.ts'

const pollMs = 100
const timeoutMs = 15 * 60_000

interface Measured {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly storedBytes: number
}

/**
 * Measures from the last byte of a source that no browser plays to the state `finished`: probe, first rung,
 * poster, ladder, records and events.
 */
export const measureWholeFile = async (context: BenchContext): Promise<Row[]> => {
  const seconds = context.isQuick ? 8 : 60
  const rounds = context.isQuick ? 1 : 3
  const path = await makeSampleSource(context.workFolder, { codec: 'hevc', container: 'mkv', seconds })
  const { size: sizeBytes } = await stat(path)
  const product = await startProduct(context, await makeFolder(context, 'data'))
  const project = await product.call('POST', '/projects', {
    Name: 'Whole file',
    EncoderSettings: { LadderMode: 'eager' },
  })
  const files = `/projects/${project.body.Id}/files`
  context.say(`${rounds} pairs of ${seconds} s of video`)
  const bare = async (): Promise<Measured> => {
    const outputFolder = await mkdtemp(join(context.workFolder, 'bare-'))
    const options: EncodeLadderOptions = { inputPath: path, outputFolder, by: 'ffmpeg', isWhole: true }
    const { wallSeconds, cpuSeconds } = await runChild<EncodeLadderResult>('encode-ladder', options)
    await rm(outputFolder, { recursive: true, force: true })
    return { wallSeconds, cpuSeconds, storedBytes: sizeBytes }
  }
  const results = await interleave(rounds, {
    product: () => measureOnce(product, files, path, sizeBytes),
    ffmpeg: bare,
  })
  const row = (name: string, unit: string, key: keyof Measured, scale: number, limit: string, note: string) =>
    makeRow({
      name: `whole file, ${name}`,
      value: median(results.product.map((one) => one[key])) * scale,
      unit,
      limit: { name: limit, value: median(results.ffmpeg.map((one) => one[key])) * scale },
      ratio: pairedRatio(
        results.product.map((one) => one[key]),
        results.ffmpeg.map((one) => one[key]),
      ),
      note,
    })
  const bareFfmpeg = 'ffmpeg with its HLS muxer'
  const what = `${seconds} s of 1080p HEVC`
  return [
    row('wall time', 's', 'wallSeconds', 1, bareFfmpeg, `${what}, from the last byte to finished`),
    row('CPU', 's', 'cpuSeconds', 1, bareFfmpeg, 'of all processes of the product, PostgreSQL included'),
    row('storage per minute', 'MB', 'storedBytes', 60 / seconds / 1e6, 'the source', 'source included'),
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
  const cpuBefore = product.spentCpuSeconds()
  await answer
  const file = await untilFinished(product, record)
  const wallSeconds = (performance.now() - sentMs) / 1000
  const cpuSeconds = product.spentCpuSeconds() - cpuBefore
  await product.call('DELETE', record)
  const storedBytes = file.Renditions.reduce(
    (sum: number, { Size }: { Size: number }) => sum + Size,
    file.Properties.Size,
  )
  return { wallSeconds, cpuSeconds, storedBytes }
}

export const untilFinished = async (product: Product, record: string) => {
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    const { body: file } = await product.call('GET', record)
    if (file.HasErrors === true) throw new Error(`The file failed: ${file.ErrorMessage}`)
    if (file.IsFinished === true) return file
    if (performance.now() > deadlineMs) throw new Error(`Not finished within ${timeoutMs / 60_000} min.`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
