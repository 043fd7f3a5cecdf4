import { writeMediaPlaylist, type IFrameVariant } from '@zoetrope/hls'
import { measureBitRates } from '@zoetrope/packager'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'

/**
 * I-frame playlists (RFC 8216bis, section 4.4.3.6) let players show frames while the viewer drags the seek
 * bar or fast-forwards.
 */

type SegmentEntry = [startTicks: number, durationTicks: number, sizeBytes: number, keyFrameEndBytes?: number]

interface IFrame {
  readonly durationTicks: number
  readonly sizeBytes: number
}

/**
 * Returns the first frame of each segment. Null for incomplete renditions and for old ones without recorded
 * key frame sizes.
 */
const iFramesOf = ({ kind, state, segments }: RenditionRow): IFrame[] | null => {
  if (kind !== 'video' || state !== 'complete') return null
  const iFrames = (JSON.parse(segments) as SegmentEntry[]).map(
    ([, durationTicks, , keyFrameEndBytes = 0]) => ({
      durationTicks,
      sizeBytes: keyFrameEndBytes,
    }),
  )
  return iFrames.every(({ sizeBytes }) => sizeBytes > 0) ? iFrames : null
}

export const iFrameVariants = (
  videos: readonly RenditionRow[],
  variantOf: (video: RenditionRow) => Pick<IFrameVariant, 'codecs' | 'resolution' | 'videoRange'>,
): IFrameVariant[] =>
  videos.flatMap((video) => {
    const iFrames = iFramesOf(video)
    if (iFrames === null) return []
    const { peakBitsPerSecond, averageBitsPerSecond } = measureBitRates(iFrames, video.timescale)
    return [
      {
        ...variantOf(video),
        uri: `${video.id}/iframes.m3u8`,
        bandwidthBitsPerSecond: peakBitsPerSecond,
        averageBandwidthBitsPerSecond: averageBitsPerSecond,
      },
    ]
  })

/**
 * Returns the I-frame playlist; each byte range covers a segment from its start to the end of its key frame.
 * Null when the rendition has no I-frames.
 */
export const iFramePlaylist = (rendition: RenditionRow): string | null => {
  const iFrames = iFramesOf(rendition)
  if (iFrames === null) return null
  return writeMediaPlaylist({
    mediaSequence: 0,
    playlistType: 'VOD',
    hasEnded: true,
    iFramesOnly: true,
    independentSegments: true,
    initUri: 'init.mp4',
    segments: iFrames.map(({ durationTicks, sizeBytes }, index) => ({
      uri: `${index}.m4s`,
      byteRange: { offsetBytes: 0, lengthBytes: sizeBytes },
      durationSeconds: durationTicks / rendition.timescale,
    })),
  })
}
