import type { TextTrack } from '@zoetrope/dash'
import { quotableText, writeMediaPlaylist, type Rendition } from '@zoetrope/hls'
import { captionSegmentSeconds } from '../captions/caption-segments.ts'
import type { FileCaptionRow, RenditionRow } from '../files/file-record.ts'
import { renditionEndSeconds } from '../files/rendition-length.ts'

/** How captions stand in manifests; URIs are relative, so that a token in the path is carried along. */

export const captionGroupId = 'captions'

/** RFC 8216 4.3.4.1: what players look for when somebody has asked the system for captions. */
const captionCharacteristics = [
  'public.accessibility.transcribes-spoken-dialog',
  'public.accessibility.describes-music-and-sound',
] as const

const folderOf = ({ public_id }: FileCaptionRow): string => `captions/${public_id}`

/** RFC 8216 4.3.4.1.1: names differ within a group. */
const distinctNames = (captions: readonly FileCaptionRow[]): string[] => {
  const taken = new Set<string>()
  return captions.map(({ label, kind, id }) => {
    const name = [label, `${label} (${kind})`, `${label} (${id})`]
      .map(quotableText)
      .find((one) => !taken.has(one))
    taken.add(name ?? '')
    return name ?? ''
  })
}

export const captionRenditions = (captions: readonly FileCaptionRow[]): Rendition[] => {
  const names = distinctNames(captions)
  return captions.map((caption, index) => ({
    type: 'SUBTITLES',
    groupId: captionGroupId,
    name: names[index] ?? '',
    language: caption.language,
    isDefault: caption.is_default,
    isAutoselect: true,
    ...(caption.kind === 'captions' ? { characteristics: captionCharacteristics } : {}),
    uri: `${folderOf(caption)}/playlist.m3u8`,
  }))
}

/** Where the media that can be played ends, and whether more is to come. */
const extentOf = (renditions: readonly RenditionRow[]): { endSeconds: number; isComplete: boolean } =>
  renditions
    .map((rendition) => ({
      endSeconds: renditionEndSeconds(rendition),
      isComplete: rendition.state === 'complete',
    }))
    .reduce((longest, one) => (one.endSeconds > longest.endSeconds ? one : longest), {
      endSeconds: 0,
      isComplete: false,
    })

/** What is left over by rounding makes no segment of its own. */
const leastSegmentSeconds = 0.05

/** As long as the media, and growing with it: a text may reach beyond its end. */
export const captionPlaylist = (renditions: readonly RenditionRow[]): string => {
  const { endSeconds, isComplete } = extentOf(renditions)
  const count = isComplete
    ? Math.max(1, Math.ceil((endSeconds - leastSegmentSeconds) / captionSegmentSeconds))
    : Math.max(0, Math.floor(endSeconds / captionSegmentSeconds))
  return writeMediaPlaylist({
    targetDurationSeconds: captionSegmentSeconds,
    mediaSequence: 0,
    playlistType: isComplete ? 'VOD' : 'EVENT',
    hasEnded: isComplete,
    independentSegments: false,
    segments: Array.from({ length: count }, (_none, index) => ({
      uri: `${index}.vtt`,
      durationSeconds:
        isComplete && index === count - 1
          ? endSeconds - index * captionSegmentSeconds
          : captionSegmentSeconds,
    })),
  })
}

export const captionTracks = (captions: readonly FileCaptionRow[], durationSeconds: number): TextTrack[] =>
  captions.map((caption) => ({
    id: `c${caption.id}`,
    uri: `${folderOf(caption)}.vtt`,
    language: caption.language,
    label: quotableText(caption.label),
    role: caption.kind === 'captions' ? 'caption' : 'subtitle',
    isDefault: caption.is_default,
    bandwidthBitsPerSecond: Math.max(1, Math.ceil((caption.size_bytes * 8) / Math.max(1, durationSeconds))),
  }))
