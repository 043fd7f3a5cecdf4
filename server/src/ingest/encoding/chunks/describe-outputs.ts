import { createHash } from 'node:crypto'
import type { FileJobRun } from '../encode/file-job-run.ts'
import type { EncodeStep } from './begin-chunks.ts'
import type { PlannedTrack } from './chunk-store.ts'
import { runChunk } from './run-chunk.ts'
import type { LendSource } from './with-source-ranges.ts'

/**
 * Encodes one frame and returns the init segment of each output. So the decoder settings are known before a remote
 * worker encodes, and a worker with another encoder is detected.
 */
export const describeOutputs = async (
  { probe, plan, rungs }: EncodeStep,
  withInput: LendSource,
  { workFolder, signal }: Pick<FileJobRun, 'workFolder' | 'signal'>,
): Promise<PlannedTrack[]> => {
  const outputs = await runChunk(
    { chunk: { startFrame: 0, endFrame: 1, startSegment: 0 }, probe, plan, rungs },
    {
      withInput,
      putInit: async () => {},
      putSegment: async () => {},
      report: () => {},
    },
    { workFolder, signal, encodersHere: undefined },
  )
  return outputs.map(({ track }) => {
    if (track === null) throw new Error('The first frame has no picture.')
    const { initSegment, ...description } = track
    return {
      track: description,
      initSegmentHash: createHash('sha256').update(initSegment).digest('base64'),
      initSegment: initSegment.toString('base64'),
    }
  })
}
