import type { Readable } from 'node:stream'
import { encodeArguments, planChunks, planRenditions, probeFile, runFfmpeg } from '@zoetrope/ffmpeg'
import type { EncodeChunk } from '@zoetrope/ffmpeg'
import { packageStream } from '@zoetrope/packager'
import { chunkLengths } from '../../../server/src/ingest/encoding/chunks/begin-chunks.ts'
import { packagedSegmentSeconds } from '../../../server/src/ingest/encoding/encode/packaged-segments.ts'
import { segmentBlob } from '../../../server/src/library/files/media/media-blobs.ts'
import { createDiskBlobStore } from '../../../server/src/platform/blobs/disk-blob-store.ts'
import { readOptions, report } from './child-side.ts'

export interface EncodeChunksOptions {
  readonly inputPath: string
  readonly outputFolder: string
  /** Number of workers that share the chunks. One worker alone encodes in a single run. */
  readonly workers: number
  readonly worker: number
}

export interface EncodeChunksResult {
  readonly cpuSeconds: number
  readonly chunks: number
}

const { inputPath, outputFolder, workers, worker } = readOptions() as EncodeChunksOptions
const probe = await probeFile(inputPath)
const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
const { frameRate, durationSeconds, ladder: rungs } = plan
if (frameRate === null || durationSeconds === null) throw new Error('There is nothing to cut.')
const rate = frameRate
const blobs = createDiskBlobStore({ folder: outputFolder })

const encode = async (chunk: EncodeChunk | undefined): Promise<number> => {
  const args = encodeArguments({
    inputPath,
    probe,
    plan,
    rungs,
    includeAudio: false,
    firstPipe: 3,
    chunk,
    encodersHere: workers,
  })
  const run = runFfmpeg(args, { outputPipes: rungs.length, workFolder: outputFolder })
  const seconds = { numerator: (chunk?.startFrame ?? 0) * rate.denominator, denominator: rate.numerator }
  const packaging = rungs.map(({ name }, index) =>
    packageStream(run.pipes[index] as Readable, {
      targetDurationSeconds: packagedSegmentSeconds,
      preceding: { count: chunk?.startSegment ?? 0, seconds },
      onInit: async () => {},
      onSegment: async ({ index: number, data }) => {
        await blobs.put(segmentBlob(name, number), data)
      },
    }),
  )
  const [{ cpuSeconds }] = await Promise.all([run.done, ...packaging])
  return cpuSeconds ?? 0
}

const chunks =
  workers === 1
    ? [undefined]
    : planChunks(
        { frameRate: rate, durationSeconds },
        { chunkSeconds: chunkLengths.chunkSeconds, segmentSeconds: packagedSegmentSeconds },
      ).filter((_, number) => number % workers === worker)
const startedCpu = process.cpuUsage()
let cpuSeconds = 0
for (const chunk of chunks) cpuSeconds += await encode(chunk)
const { user, system } = process.cpuUsage(startedCpu)
const result: EncodeChunksResult = { cpuSeconds: cpuSeconds + (user + system) / 1e6, chunks: chunks.length }
report(result)
