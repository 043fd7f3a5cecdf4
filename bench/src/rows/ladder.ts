import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from '../harness/child.ts'
import type { BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import type { EncodeLadderOptions, EncodeLadderResult } from '../processes/encode-ladder.ts'

/**
 * Compares the ladder of the worker (ffmpeg into our packager) with one ffmpeg command that encodes and
 * packages the same rungs.
 */
export const measureLadder = async (context: BenchContext): Promise<Row[]> => {
  const seconds = context.isQuick ? 8 : 30
  const rounds = context.isQuick ? 1 : 3
  const inputPath = await makeSampleSource(context.workFolder, { codec: 'h264', container: 'mp4', seconds })
  context.say(`${rounds} pairs of ${seconds} s of video`)
  const encode = (by: EncodeLadderOptions['by']) => async () => {
    const outputFolder = await mkdtemp(join(context.workFolder, 'ladder-'))
    const result = await runChild<EncodeLadderResult>('encode-ladder', {
      inputPath,
      outputFolder,
      by,
    } satisfies EncodeLadderOptions)
    await rm(outputFolder, { recursive: true, force: true })
    return result
  }
  const results = await interleave(rounds, { product: encode('product'), ffmpeg: encode('ffmpeg') })
  const of = (side: keyof typeof results, key: 'cpuSeconds' | 'wallSeconds'): number[] =>
    results[side].map((one) => one[key])
  const row = (
    name: string,
    key: 'cpuSeconds' | 'wallSeconds',
    more: { goal?: { of: 'ratio'; atMost: number }; note: string },
  ) =>
    makeRow({
      name,
      value: median(of('product', key)),
      unit: 's',
      limit: { name: 'ffmpeg with its HLS muxer', value: median(of('ffmpeg', key)) },
      ratio: pairedRatio(of('product', key), of('ffmpeg', key)),
      ...more,
    })
  const rungs = results.product[0]?.rungs.join(', ') ?? ''
  const nodeSeconds = median(results.product.map(({ nodeCpuSeconds }) => nodeCpuSeconds))
  return [
    row('ladder, CPU', 'cpuSeconds', {
      goal: { of: 'ratio', atMost: 1.15 },
      note: `${seconds} s of 1080p to ${rungs}; ${nodeSeconds.toFixed(2)} s of it in our process`,
    }),
    row('ladder, wall time', 'wallSeconds', { note: 'with every segment synced to disk' }),
  ]
}
