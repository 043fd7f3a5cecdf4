import type { PlaylistElement } from './playlist-queries.ts'

/** An element with a unique id, because a playlist may contain a file more than once. */
export interface Place {
  readonly id: string
  readonly element: PlaylistElement
}

/** An element keeps its id when others move. */
export const placesOf = (elements: readonly PlaylistElement[]): Place[] => {
  const seen = new Map<number, number>()
  return elements.map((element) => {
    const nth = (seen.get(element.FileId) ?? 0) + 1
    seen.set(element.FileId, nth)
    return { id: `${element.FileId}-${nth}`, element }
  })
}

/** Moves one element. A position out of range becomes the nearest valid one. */
export const moved = <T>(items: readonly T[], from: number, to: number): T[] => {
  const rest = items.toSpliced(from, 1)
  const item = items[from]
  return item === undefined ? [...items] : rest.toSpliced(Math.max(0, Math.min(to, rest.length)), 0, item)
}
