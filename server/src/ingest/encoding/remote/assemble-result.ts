import type { PackagedSegment } from '@zoetrope/packager'
import type { ChunkedPlan, ChunkPiece } from '../chunks/chunk-store.ts'
import { secondsOfChunk } from '../chunks/seconds-of-chunk.ts'
import { framesOfSegment } from './check-segment.ts'
import type { ChunkRow, DeliveredSegment } from './chunk-leases.ts'
import { RefusedResult } from './refused-result.ts'

interface StoredSegment {
  readonly output: number
  readonly index: number
  readonly sizeBytes: number
}

export interface AssembledResult {
  readonly doneSeconds: number
  readonly pieces: readonly ChunkPiece[]
  readonly stored: readonly StoredSegment[]
}

/** The header of the source may state a slightly different duration than its frames have. */
const toleratedSeconds = 2

/** Builds the result of a chunk from the segments that were delivered and checked. Throws RefusedResult when one is missing. */
export const assembleResult = (plan: ChunkedPlan, { number, delivered }: ChunkRow): AssembledResult => {
  const chunk = plan.chunks[number]
  const known = (delivered ?? {}) as Record<string, DeliveredSegment>
  if (chunk === undefined || plan.tracks === undefined)
    throw new RefusedResult('The job is not for remote workers.')
  const { numerator, denominator } = plan.plan.frameRate ?? { numerator: 1, denominator: 1 }
  const doneSeconds = secondsOfChunk(plan.plan, chunk, plan.durationSeconds)
  const stored: StoredSegment[] = []
  const pieces = plan.tracks.map((track, output): ChunkPiece => {
    const rung = plan.rungs[output]
    if (rung === undefined) throw new RefusedResult(`The job has no rendition ${output}.`)
    const segments: PackagedSegment[] = []
    let frameCount = 0
    for (let index = chunk.startSegment; known[`${output}/${index}`] !== undefined; index++) {
      const { sha256: _sha256, frameCount: frames, ...segment } = known[`${output}/${index}`]!
      const { startFrame } = framesOfSegment({ plan: plan.plan, rung, chunk, mostFrames: Infinity }, index)
      if (startFrame !== chunk.startFrame + frameCount)
        throw new RefusedResult(`Segment ${index - 1} of rendition ${output} is too short.`)
      segments.push(segment)
      stored.push({ output, index, sizeBytes: segment.sizeBytes })
      frameCount += frames
    }
    if (segments.length !== Object.keys(known).filter((name) => name.startsWith(`${output}/`)).length)
      throw new RefusedResult(`Segments of rendition ${output} are missing.`)
    const seconds = (frameCount * denominator) / numerator
    if (chunk.endFrame === null) {
      // The duration in the header may be wrong, which only a local worker can tell.
      if (Math.abs(seconds - doneSeconds) > toleratedSeconds)
        throw new RefusedResult(`Rendition ${output} lasts ${seconds} s instead of ${doneSeconds} s.`, {
          isFaultOfWorker: false,
        })
    } else if (frameCount !== chunk.endFrame - chunk.startFrame)
      throw new RefusedResult(
        `Rendition ${output} has ${frameCount} frames instead of ${chunk.endFrame - chunk.startFrame}.`,
      )
    return {
      track: track.track,
      initSegmentHash: track.initSegmentHash,
      initSegmentBytes: Buffer.byteLength(track.initSegment, 'base64'),
      segments,
    }
  })
  return { doneSeconds, pieces, stored }
}
