import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'

/** Prefixes of CODECS in order of player support. */
const codecOrder = ['avc', 'hvc1', 'av01'] as const

const rankOf = ({ codec }: Pick<RenditionRow, 'codec'>): number => {
  const rank = codecOrder.findIndex((entry) => codec.startsWith(entry))
  return rank === -1 ? codecOrder.length : rank
}

const byHeightDescending = (a: RenditionRow, b: RenditionRow): number =>
  (b.height_pixels ?? 0) - (a.height_pixels ?? 0) || b.id - a.id

/**
 * Returns video renditions grouped by codec, each from largest to smallest, because players switch rungs
 * within a codec but rarely between codecs.
 */
export const videosByCodec = (renditions: readonly RenditionRow[]): RenditionRow[][] => {
  const videos = renditions.filter(({ kind }) => kind === 'video').toSorted(byHeightDescending)
  return [...Map.groupBy(videos, rankOf)].toSorted(([a], [b]) => a - b).map(([, rows]) => rows)
}
