/** A preview picture, as an area of a sprite sheet. */
export interface Tile {
  readonly startSeconds: number
  readonly sheet: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const secondsOf = (text: string): number =>
  text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0)

/** Parses WebVTT whose cues name areas of a picture (docs/extras.md); `base` is its own URL. */
export const parseStoryboard = (text: string, base: string): Tile[] =>
  text.split(/\r?\n\r?\n/).flatMap((cue) => {
    const [, start = '', uri = ''] = /^(?:.*\n)?([\d:.]+) --> \S+.*\n(\S+)/.exec(cue) ?? []
    const [, path = '', place = ''] = /^(.+)#xywh=([\d,]+)$/.exec(uri) ?? []
    const [x = 0, y = 0, width = 0, height = 0] = place.split(',').map(Number)
    if (path === '' || width === 0 || height === 0) return []
    return [{ startSeconds: secondsOf(start), sheet: new URL(path, base).href, x, y, width, height }]
  })

export const tileAt = (tiles: readonly Tile[], seconds: number): Tile | null =>
  tiles.findLast(({ startSeconds }) => startSeconds <= seconds) ?? tiles[0] ?? null

export interface Storyboard {
  /** Returns null until the storyboard is loaded. The first call loads it. */
  readonly tileAt: (seconds: number) => Tile | null
}

export const createStoryboard = (address: () => string): Storyboard => {
  let tiles: readonly Tile[] | null = null
  let isAsked = false
  const load = async (): Promise<void> => {
    const url = new URL(address(), location.href).href
    const response = await fetch(url)
    if (response.ok) tiles = parseStoryboard(await response.text(), url)
  }
  return {
    tileAt: (seconds) => {
      if (!isAsked) {
        isAsked = true
        // Without the storyboard, only the time is shown.
        load().catch(() => undefined)
      }
      return tiles === null ? null : tileAt(tiles, seconds)
    },
  }
}
