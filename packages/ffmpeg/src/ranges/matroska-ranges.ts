import type { RandomAccessReader } from '@zoetrope/isobmff'
import { framesPerSecond } from '../probe/frame-rate.ts'
import { packetsReadAhead, type ChunkTimes, type SourceRange } from './chunk-times.ts'
import { childOf, childrenOf, readElement, unsignedOf, type EbmlElement } from './ebml.ts'
import { probeBytes, probeSeconds, toleratedSeconds } from './opening.ts'

/** Element ids of RFC 9559, 5.1. */
const ids = {
  ebml: 0x1a45dfa3,
  segment: 0x18538067,
  seekHead: 0x114d9b74,
  seek: 0x4dbb,
  seekId: 0x53ab,
  seekPosition: 0x53ac,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  cluster: 0x1f43b675,
  cues: 0x1c53bb6b,
  cuePoint: 0xbb,
  cueTime: 0xb3,
  cueTrackPositions: 0xb7,
  cueTrack: 0xf7,
  cueClusterPosition: 0xf1,
} as const

const videoTrackType = 1
const defaultTimestampScale = 1_000_000

/** More elements before the first cluster, or a larger index, would be damage. */
const maxElements = 100
const maxIndexBytes = 64 * 1024 * 1024

/** A cluster that begins at a key frame, or contains one. */
type Cue = { seconds: number; offset: number }

type Segment = {
  elements: EbmlElement[]
  firstClusterOffset: number
  endOffset: number
  cues: Cue[]
}

/** As `sourceRanges`, for Matroska and WebM with cues. */
export const matroskaRanges = async (
  reader: RandomAccessReader,
  times: ChunkTimes | null,
): Promise<SourceRange[] | null> => {
  const segment = await readSegment(reader)
  if (segment === null || segment.cues.length === 0) return null
  const { elements, firstClusterOffset, endOffset, cues } = segment
  const offsetAfter = (seconds: number): number =>
    cues.find((cue) => cue.seconds > seconds)?.offset ?? endOffset
  const probeEnd = Math.min(firstClusterOffset + probeBytes, offsetAfter(probeSeconds))
  const opening = [
    ...elements.map(({ offset, endOffset: end }) => ({ start: offset, end })),
    { start: 0, end: Math.max(probeEnd, firstClusterOffset) },
  ]
  if (times === null) return opening
  const { seekSeconds, endSeconds, video } = times
  const from =
    seekSeconds === null ? -1 : cues.findLastIndex(({ seconds }) => seconds <= seekSeconds - toleratedSeconds)
  // ffmpeg reads everything after the last cue before it seeks there.
  const isLast = from >= cues.length - 2
  const aheadSeconds = packetsReadAhead / framesPerSecond(video.frameRate) + toleratedSeconds
  const start = cues[from]?.offset ?? firstClusterOffset
  const end = endSeconds === null || isLast ? endOffset : offsetAfter(endSeconds + aheadSeconds)
  return [...opening, { start, end: Math.max(start, end) }]
}

const readSegment = async (reader: RandomAccessReader): Promise<Segment | null> => {
  const head = await readElement(reader, 0)
  if (head?.id !== ids.ebml) return null
  const segment = await readElement(reader, head.endOffset)
  if (segment?.id !== ids.segment || segment.endOffset > reader.sizeBytes) return null
  const elements: EbmlElement[] = []
  let next = await readElement(reader, segment.bodyOffset)
  while (next !== null && next.id !== ids.cluster && elements.length < maxElements) {
    elements.push(next)
    next = await readElement(reader, next.endOffset)
  }
  if (next?.id !== ids.cluster) return null
  await addReferenced(reader, segment, elements)
  if (elements.some(({ endOffset }) => endOffset > segment.endOffset)) return null
  const cues = await readCues(reader, segment, elements)
  return { elements, firstClusterOffset: next.offset, endOffset: segment.endOffset, cues }
}

/** Adds the elements that the seek heads name, such as cues and tags after the clusters. */
const addReferenced = async (
  reader: RandomAccessReader,
  segment: EbmlElement,
  elements: EbmlElement[],
): Promise<void> => {
  // The loop also visits the elements that it adds: a seek head can name another one.
  for (const element of elements) {
    if (element.id !== ids.seekHead) continue
    for (const { id, body } of childrenOf(await readBody(reader, element))) {
      const position = id === ids.seek ? unsignedOf(childOf(childrenOf(body), ids.seekPosition)) : null
      if (position === null || elements.length >= maxElements) continue
      const offset = segment.bodyOffset + position
      if (elements.some((known) => known.offset === offset)) continue
      const found = await readElement(reader, offset)
      if (found !== null && found.id !== ids.cluster) elements.push(found)
    }
  }
}

const readBody = async (
  reader: RandomAccessReader,
  { bodyOffset, endOffset }: EbmlElement,
): Promise<Buffer> =>
  endOffset - bodyOffset > maxIndexBytes ? Buffer.alloc(0) : reader.read(bodyOffset, endOffset - bodyOffset)

/** Returns the cues of the video in the order of their times. */
const readCues = async (
  reader: RandomAccessReader,
  segment: EbmlElement,
  elements: readonly EbmlElement[],
): Promise<Cue[]> => {
  const read = async (id: number) => {
    const element = elements.find((one) => one.id === id)
    return element === undefined ? [] : childrenOf(await readBody(reader, element))
  }
  const scale = unsignedOf(childOf(await read(ids.info), ids.timestampScale)) ?? defaultTimestampScale
  const videoTracks = (await read(ids.tracks))
    .filter(({ id }) => id === ids.trackEntry)
    .map(({ body }) => childrenOf(body))
    .filter((track) => unsignedOf(childOf(track, ids.trackType)) === videoTrackType)
    .map((track) => unsignedOf(childOf(track, ids.trackNumber)))
  // Cues of several videos cannot be told apart without their order in ffmpeg.
  if (videoTracks.length !== 1) return []
  const cues: Cue[] = []
  for (const { id, body } of await read(ids.cues)) {
    if (id !== ids.cuePoint) continue
    const point = childrenOf(body)
    const time = unsignedOf(childOf(point, ids.cueTime))
    for (const { id: positionId, body: position } of point) {
      if (positionId !== ids.cueTrackPositions || time === null) continue
      const fields = childrenOf(position)
      const offset = unsignedOf(childOf(fields, ids.cueClusterPosition))
      if (offset === null || unsignedOf(childOf(fields, ids.cueTrack)) !== videoTracks[0]) continue
      cues.push({ seconds: (time * scale) / 1e9, offset: segment.bodyOffset + offset })
    }
  }
  return cues.toSorted((a, b) => a.seconds - b.seconds)
}
