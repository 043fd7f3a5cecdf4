import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { frameArguments, probeFile, runFfmpeg } from '@zoetrope/ffmpeg'
import type { LivePackager } from '@zoetrope/ll-hls'

const limits = { wallSeconds: 10, cpuSeconds: 10 }

export interface TakePosterOptions {
  /** Must exist. */
  readonly workFolder: string
  readonly signal: AbortSignal
}

/**
 * Returns a JPEG of the newest key frame in a complete segment, or null when there is none. Rejects with a
 * MediaError.
 */
export const takePoster = async (
  packager: LivePackager,
  { workFolder, signal }: TakePosterOptions,
): Promise<Buffer | null> => {
  const rendition = packager.rendition('video')
  const segment = rendition?.segments.findLast(({ isIndependent, isGap }) => isIndependent && !isGap)
  const format = segment && rendition?.formatOf(segment.initVersion)
  const pieces = segment && (await rendition?.read(segment.number))
  if (format === undefined || pieces === undefined) return null
  const folder = await mkdtemp(join(workFolder, 'poster-'))
  try {
    const inputPath = join(folder, 'segment.mp4')
    const paths = { posterPath: join(folder, 'poster.jpg'), thumbnailPath: join(folder, 'thumbnail.jpg') }
    await writeFile(inputPath, [format.initSegment, ...pieces])
    const probe = await probeFile(inputPath, { signal })
    const { done } = runFfmpeg(frameArguments({ inputPath, probe, positionSeconds: 0, ...paths }), {
      outputPipes: 0,
      workFolder: folder,
      signal,
      limits,
    })
    await done
    return await readFile(paths.posterPath)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
