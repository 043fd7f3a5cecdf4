import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { encodeArguments, planRenditions, probeFile, runFfmpeg } from '@zoetrope/ffmpeg'
import { packageStream } from '@zoetrope/packager'
import { packagedSegmentSeconds } from '../../../server/src/ingest/encoding/encode/packaged-segments.ts'
import { initBlob, segmentBlob } from '../../../server/src/library/files/media/media-blobs.ts'
import { createDiskBlobStore } from '../../../server/src/platform/blobs/disk-blob-store.ts'
import { readOptions, report } from './child-side.ts'

export interface EncodeLadderOptions {
  readonly inputPath: string
  /** Empty. */
  readonly outputFolder: string
  /**
   * `product`: ffmpeg with our packager and blob store, like the worker. `ffmpeg`: only ffmpeg with its own
   * HLS muxer.
   */
  readonly by: 'product' | 'ffmpeg'
  /** Includes the first rung, which the worker encodes in a separate run. */
  readonly isWhole?: boolean
}

export interface EncodeLadderResult {
  readonly wallSeconds: number
  /** CPU time of ffmpeg, and of this process when it packages. */
  readonly cpuSeconds: number
  readonly nodeCpuSeconds: number
  readonly rungs: readonly string[]
}

const { inputPath, outputFolder, by, isWhole = false } = readOptions() as EncodeLadderOptions
const probe = await probeFile(inputPath)
// Same plan as the worker for a source that no browser plays: all rungs except the first, here with audio.
const plan = planRenditions(probe, { isVideoCopied: false, copiedAudio: [] })
const rungs = isWhole && plan.firstRung !== null ? [...plan.ladder, plan.firstRung] : plan.ladder
const encode = { inputPath, probe, plan, rungs, includeAudio: true, firstPipe: 3 }
const outputs = [...rungs.map(({ name }) => name), 'audio']
const args = encodeArguments(encode)

/** Replaces each pipe by the HLS muxer of ffmpeg, with unchanged filters and encoders. */
const toHlsFiles = (pipeArguments: readonly string[]): string[] => {
  const hls: string[] = []
  const ofPipes = new Set(['-movflags', '-use_editlist', '-frag_duration', '-f'])
  for (let index = 0; index < pipeArguments.length; index += 1) {
    const argument = pipeArguments[index] ?? ''
    if (ofPipes.has(argument)) index += 1
    else if (argument.startsWith('pipe:')) {
      const folder = join(outputFolder, outputs[Number(argument.slice(5)) - encode.firstPipe] ?? '')
      hls.push('-f', 'hls', '-hls_time', String(packagedSegmentSeconds), '-hls_playlist_type', 'vod')
      hls.push(
        '-hls_segment_type',
        'fmp4',
        '-hls_segment_filename',
        join(folder, '%d.m4s'),
        join(folder, 'playlist.m3u8'),
      )
    } else hls.push(argument)
  }
  return hls
}

const runBare = async (): Promise<number | null> => {
  for (const output of outputs) await mkdir(join(outputFolder, output))
  return (await runFfmpeg(toHlsFiles(args), { outputPipes: 0, workFolder: outputFolder }).done).cpuSeconds
}

const runProduct = async (): Promise<number | null> => {
  const blobs = createDiskBlobStore({ folder: outputFolder })
  const run = runFfmpeg(args, { outputPipes: outputs.length, workFolder: outputFolder })
  const packaging = outputs.map((output, index) =>
    packageStream(run.pipes[index] as Readable, {
      targetDurationSeconds: packagedSegmentSeconds,
      onInit: async ({ initSegment }) => {
        await blobs.put(initBlob(output), initSegment)
      },
      onSegment: async ({ index: number, data }) => {
        await blobs.put(segmentBlob(output, number), data)
      },
    }),
  )
  const [{ cpuSeconds }] = await Promise.all([run.done, ...packaging])
  return cpuSeconds
}

const startedMs = performance.now()
const startedCpu = process.cpuUsage()
const ffmpegCpuSeconds = by === 'product' ? await runProduct() : await runBare()
if (ffmpegCpuSeconds === null) throw new Error('ffmpeg did not say how much CPU it took.')
const { user, system } = process.cpuUsage(startedCpu)
const nodeCpuSeconds = by === 'product' ? (user + system) / 1e6 : 0
const result: EncodeLadderResult = {
  wallSeconds: (performance.now() - startedMs) / 1000,
  cpuSeconds: ffmpegCpuSeconds + nodeCpuSeconds,
  nodeCpuSeconds,
  rungs: outputs,
}
report(result)
