import { closedCaptionArguments, mayCarryClosedCaptions, runFfmpeg, type Probe } from '@zoetrope/ffmpeg'
import {
  captionHeader,
  readClosedCaptions,
  readFragmentStream,
  type CaptionPair,
  type FragmentPiece,
} from '@zoetrope/isobmff'
import { isFaultOfMedia } from '../encode/faults.ts'
import { fileIncludes } from './file-includes.ts'

export interface TimedPair {
  /** On the timeline of the renditions. */
  readonly atSeconds: number
  readonly pair: CaptionPair
}

export interface ClosedCaptions {
  /** CTA-608 field 1, in presentation order. */
  readonly pairs: readonly TimedPair[]
  /** Whether the other field or CTA-708 carries captions. */
  readonly hasOther: boolean
}

/** More than a day of fast speech; later captions are dropped. */
const maxPairs = 500_000

/** Reading a file without decoding takes seconds. After the limit, the captions stay unknown. */
const scanLimits = { wallSeconds: 300, cpuSeconds: 120, stallSeconds: 60 } as const

/**
 * Scans the whole video for embedded captions. Returns null when unknown: another codec, or a file that
 * cannot be read to its end.
 */
export const scanClosedCaptions = async (
  inputPath: string,
  probe: Probe,
  { workFolder, signal }: { readonly workFolder: string; readonly signal: AbortSignal },
): Promise<ClosedCaptions | null> => {
  if (!mayCarryClosedCaptions(probe)) return null
  // MP4 stores each frame as it is, so most files need no run of ffmpeg. MPEG-TS splits frames into packets.
  if (probe.formatNames.includes('mp4') && !(await fileIncludes(inputPath, captionHeader, { signal })))
    return { pairs: [], hasOther: false }
  const stopped = new AbortController()
  const run = runFfmpeg(closedCaptionArguments(inputPath, probe), {
    outputPipes: 1,
    workFolder,
    signal: AbortSignal.any([signal, stopped.signal]),
    limits: scanLimits,
  })
  try {
    const found = await collect(run.pipes[0]!)
    await run.done
    return found
  } catch (error) {
    stopped.abort()
    await run.done.catch(() => {})
    if (signal.aborted || !isFaultOfMedia(error)) throw error
    return null
  }
}

const collect = async (pipe: AsyncIterable<Buffer>): Promise<ClosedCaptions> => {
  const pairs: TimedPair[] = []
  let hasOther = false
  let timescale = 1
  for await (const piece of readFragmentStream(pipe)) {
    if (piece.type === 'init') {
      timescale = piece.track.timescale
      continue
    }
    for (const { ticks, data } of samplesOf(piece)) {
      const found = readClosedCaptions(data)
      hasOther ||= found.hasOther
      if (pairs.length < maxPairs)
        for (const pair of found.fieldOne) pairs.push({ atSeconds: ticks / timescale, pair })
    }
  }
  return { pairs: pairs.toSorted((a, b) => a.atSeconds - b.atSeconds), hasOther }
}

const samplesOf = ({ samples, data }: FragmentPiece): { readonly ticks: number; readonly data: Buffer }[] =>
  Array.from({ length: samples.count }, (_none, index) => {
    const offset = samples.offsets[index] ?? 0
    return {
      ticks: (samples.decodeTimes[index] ?? 0) + (samples.compositionOffsets[index] ?? 0),
      data: data.subarray(offset, offset + (samples.sizes[index] ?? 0)),
    }
  })
