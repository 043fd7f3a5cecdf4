import type { TextTrack } from '@zoetrope/dash'
import { quotableText, writeMediaPlaylist, type Rendition } from '@zoetrope/hls'
import { captionSegmentSeconds } from '../../library/captions/caption-segments.ts'
import type { FileCaptionRow } from '../../library/files/record/parts/caption-record.ts'
import { hasAllSegments, type RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { renditionEndSeconds } from '../../library/files/media/rendition-length.ts'
import { distinctNames } from './distinct-names.ts'

/** Group id of the captions. Their URIs are relative, so that a token in the path applies to them too. */

export const captionGroupId = 'captions'

/** RFC 8216, section 4.3.4.1: players look for these when captions are enabled in the system settings. */
const captionCharacteristics = [
  'public.accessibility.transcribes-spoken-dialog',
  'public.accessibility.describes-music-and-sound',
] as const

const folderOf = ({ public_id }: FileCaptionRow): string => `captions/${public_id}`

const nameCandidates = ({ label, kind, id }: FileCaptionRow): string[] =>
  [label, `${label} (${kind})`, `${label} (${id})`].map(quotableText)

export const captionRenditions = (captions: readonly FileCaptionRow[]): Rendition[] => {
  const names = distinctNames(captions.map(nameCandidates))
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

/** Returns the end of the playable media and whether it is complete. */
const extentOf = (renditions: readonly RenditionRow[]): { endSeconds: number; isComplete: boolean } =>
  renditions
    .map((rendition) => ({
      endSeconds: renditionEndSeconds(rendition),
      isComplete: hasAllSegments(rendition),
    }))
    .reduce((longest, one) => (one.endSeconds > longest.endSeconds ? one : longest), {
      endSeconds: 0,
      isComplete: false,
    })

/** A rounding remainder shorter than this gets no segment of its own. */
const leastSegmentSeconds = 0.05

/**
 * Returns the media playlist of captions. It is as long as the media and grows with it, even if the text ends
 * later.
 */
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
