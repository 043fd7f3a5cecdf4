import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runChild } from '../harness/child.ts'
import type { BenchContext } from '../harness/context.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { makeSampleSource } from '../content/sample-media.ts'
import type { EncodeChunksOptions, EncodeChunksResult } from '../processes/encode-chunks.ts'

interface Measured {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly chunks: number
}

/**
 * Compares a ladder in chunks by two workers of one machine with the same ladder by one worker in a single
 * run.
 */
export const measureChunks = async (context: BenchContext): Promise<Row[]> => {
  // The number of chunks divides evenly between two workers.
  const seconds = context.isQuick ? 64 : 128
  const rounds = context.isQuick ? 1 : 3
  const inputPath = await makeSampleSource(context.workFolder, { codec: 'h264', container: 'mp4', seconds })
  context.say(`${rounds} pairs of ${seconds} s of video`)
  const encode = (workers: number) => async (): Promise<Measured> => {
    const outputFolder = await mkdtemp(join(context.workFolder, 'chunks-'))
    const startedMs = performance.now()
    const results = await Promise.all(
      Array.from({ length: workers }, (_, worker) =>
        runChild<EncodeChunksResult>('encode-chunks', {
          ...{ inputPath, outputFolder, workers, worker },
        } satisfies EncodeChunksOptions),
      ),
    )
    const wallSeconds = (performance.now() - startedMs) / 1000
    await rm(outputFolder, { recursive: true, force: true })
    return {
      wallSeconds,
      cpuSeconds: results.reduce((sum, one) => sum + one.cpuSeconds, 0),
      chunks: results.reduce((sum, one) => sum + one.chunks, 0),
    }
  }
  const results = await interleave(rounds, { two: encode(2), one: encode(1) })
  const row = (name: string, key: 'wallSeconds' | 'cpuSeconds', atMost: number) => {
    const two = results.two.map((result) => result[key])
    const one = results.one.map((result) => result[key])
    return makeRow({
      name,
      value: median(two),
      unit: 's',
      limit: { name: 'one worker, one run', value: median(one) },
      ratio: pairedRatio(two, one),
      goal: { of: 'ratio', atMost },
      note: `${seconds} s of 1080p in ${results.two[0]?.chunks ?? 0} chunks, both workers on this machine`,
    })
  }
  return [
    row('ladder by two workers, wall time', 'wallSeconds', 0.95),
    row('ladder by two workers, CPU', 'cpuSeconds', 1.1),
  ]
}
