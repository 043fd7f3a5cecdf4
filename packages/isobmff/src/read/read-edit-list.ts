import { findBox, readBoxes, type Box } from '../boxes/box.ts'
import { readFullBox } from '../boxes/fields.ts'
import type { Track } from '../movie/movie.ts'

type EditFacts = Pick<
  Track,
  'presentationShiftTicks' | 'mediaStartTicks' | 'hasComplexEdits' | 'trimmedDurationTicks'
>

const normalRate = 0x1_0000

/**
 * Converts an edit list (ISO/IEC 14496-12, 8.6.6) to a shift from media time to presentation time. Empty
 * edits delay the track, and the first media edit sets the start in the media. Segment durations use the
 * movie's timescale.
 */
export const readEditList = (edts: Box | undefined, timescale: number, movieTimescale: number): EditFacts => {
  const elst = edts && findBox(readBoxes(edts.body), 'elst')
  let emptyDuration = 0
  let mediaEdits = 0
  let mediaStartTicks = 0
  let mediaDuration = 0
  let hasOtherRate = false
  if (elst !== undefined) {
    const { version, fields } = readFullBox(elst.body)
    const isLong = version === 1
    for (let left = fields.entryCount(isLong ? 20 : 12); left > 0; left--) {
      const duration = isLong ? fields.u64() : fields.u32()
      const mediaTime = isLong ? fields.i64() : fields.i32()
      const rate = fields.u32()
      if (mediaTime < 0) {
        if (mediaEdits === 0) emptyDuration += duration
        continue
      }
      mediaEdits++
      if (rate !== normalRate) hasOtherRate = true
      if (mediaEdits > 1) continue
      mediaStartTicks = mediaTime
      mediaDuration = duration
    }
  }
  const toTrackTicks = (duration: number) => Math.round((duration / movieTimescale) * timescale)
  return {
    presentationShiftTicks: toTrackTicks(emptyDuration) - mediaStartTicks,
    mediaStartTicks,
    hasComplexEdits: mediaEdits > 1 || hasOtherRate,
    trimmedDurationTicks: mediaDuration > 0 ? toTrackTicks(mediaDuration) : undefined,
  }
}
