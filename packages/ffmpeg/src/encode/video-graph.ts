import { frameFilters } from './chunk-arguments.ts'
import { colourFilters, scaleMatrix } from '../filters/colour-filters.ts'
import type { FrameRate } from '../probe/frame-rate.ts'
import type { EncodeChunk } from '../plan/plan-chunks.ts'
import type { VideoRung } from '../plan/plan-renditions.ts'
import type { VideoStream } from '../probe/probe.ts'
import { steadySizeFilter } from '../filters/steady-filters.ts'
import { deinterlaceFilters, scaleFilters, toneMapFilters } from '../filters/video-filters.ts'
import { watermarkBranches, type Watermark } from '../filters/watermark.ts'

export type VideoGraph = {
  frameRate: FrameRate
  /** Descending. */
  rungs: readonly VideoRung[]
  watermark: Watermark | null
  chunk: EncodeChunk | null
}

/** The source is input 0; the watermark follows it. */
const watermarkInputIndex = 1

/**
 * Returns the filter graph from the source to the frames of each rung in BT.709, labelled `[v0]`, `[v1]` and
 * so on.
 */
export const videoGraph = (
  video: VideoStream,
  { frameRate, rungs, watermark, chunk }: VideoGraph,
): string => {
  const [highest] = rungs
  if (highest === undefined) throw new Error('There is no rung to draw for.')
  const scale = (rung: VideoRung): string[] =>
    scaleFilters(rung).map((filter, number) => (number === 0 ? filter + scaleMatrix(video) : filter))
  const labels = rungs.map((_, number) => `[s${number}]`).join('')
  const deinterlace = video.isInterlaced ? [steadySizeFilter(video), ...deinterlaceFilters(video)] : []
  const frames = frameFilters(chunk, frameRate)
  // When the last frame lasts an hour, `fps` repeats it for the whole hour at once. The repeats must share
  // one frame: copies made by `scale` would take 30 GB at 360p alone. In other videos, `fps` runs first so
  // that dropped frames are not scaled.
  const [early, late] = video.isSparse ? [[], frames] : [frames, []]
  const from = `[0:${video.index}]`
  const source = [...deinterlace, ...early]
  // Tone mapping costs more than all scaling, so it runs once, at the size of the highest rung. Drawing does
  // too, because it needs the size.
  const isMadeOnce = video.isHdr || watermark !== null
  const made = [...scale(highest), ...toneMapFilters(video), ...colourFilters(video)].join(',')
  const branches = rungs.map((rung, number) => {
    const filters = isMadeOnce ? scaleFilters(rung) : [...scale(rung), ...colourFilters(video)]
    return `[s${number}]${[...filters, 'format=yuv420p', ...late].join(',')}[v${number}]`
  })
  const split = `split=${rungs.length}`
  if (!isMadeOnce) return [`${from}${[...source, split].join(',')}${labels}`, ...branches].join(';')
  if (watermark === null)
    return [`${from}${[...source, made, split].join(',')}${labels}`, ...branches].join(';')
  const drawn = { ...highest, from: 'bare', to: 'drawn', inputIndex: watermarkInputIndex }
  return [
    `${from}${[...source, made].join(',')}[bare]`,
    ...watermarkBranches(watermark, drawn),
    `[drawn]${split}${labels}`,
    ...branches,
  ].join(';')
}
