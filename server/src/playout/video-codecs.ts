import type { RenditionRow } from '../files/file-record.ts'

/** By the entry that CODECS begin with: what plays everywhere first. */
const codecOrder = ['avc', 'hvc1', 'av01'] as const

const rankOf = ({ codec }: Pick<RenditionRow, 'codec'>): number => {
  const rank = codecOrder.findIndex((entry) => codec.startsWith(entry))
  return rank === -1 ? codecOrder.length : rank
}

const byHeightDescending = (a: RenditionRow, b: RenditionRow): number =>
  (b.height_pixels ?? 0) - (a.height_pixels ?? 0) || b.id - a.id

/** The pictures, codec by codec, each from the largest to the smallest: players change between the rungs of one codec, hardly from one to another. */
export const videosByCodec = (renditions: readonly RenditionRow[]): RenditionRow[][] => {
  const videos = renditions.filter(({ kind }) => kind === 'video').toSorted(byHeightDescending)
  return [...Map.groupBy(videos, rankOf)].toSorted(([a], [b]) => a - b).map(([, rows]) => rows)
}
