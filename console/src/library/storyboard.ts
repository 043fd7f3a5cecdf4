import type { MediaFile } from '@zoetrope/sdk'
import { queryOptions } from '@tanstack/react-query'
import { playoutQuery } from '../file/file-query.ts'
import { queryClient, queryKeys } from '../shell/query.ts'
import { ownUrl } from '../ui/embed/own-url.ts'

/** `storyboard.json` (docs/extras.md). */
interface StoryboardJson {
  readonly url: string
  readonly tile_width: number
  readonly tile_height: number
  readonly tiles: readonly { readonly x: number; readonly y: number }[]
}

export interface Storyboard {
  readonly url: string
  readonly ratio: number
  readonly columns: number
  readonly rows: number
  readonly count: number
}

/** The pictures for a preview. Null = the file has none. */
export const storyboardQuery = (file: MediaFile) =>
  queryOptions({
    queryKey: [...queryKeys.file(file.ProjectId, file.Id), 'storyboard'],
    queryFn: async ({ signal }): Promise<Storyboard | null> => {
      const playout = await queryClient.fetchQuery(playoutQuery(file))
      const text = playout?.Preview.Storyboard
      if (text == null) return null
      const response = await fetch(ownUrl(text).replace(/\.vtt(?=$|\?)/, '.json'), { signal })
      if (!response.ok) return null
      const { url, tile_width, tile_height, tiles } = (await response.json()) as StoryboardJson
      return {
        url: ownUrl(url),
        ratio: tile_width / tile_height,
        columns: Math.max(...tiles.map(({ x }) => x)) / tile_width + 1,
        rows: Math.max(...tiles.map(({ y }) => y)) / tile_height + 1,
        count: tiles.length,
      }
    },
    staleTime: Infinity,
    retry: false,
  })

const percent = (at: number, count: number): string => `${count < 2 ? 0 : (100 * at) / (count - 1)}%`

/** Shows the tile at this share of the duration as a background. */
export const tileStyle = ({ url, ratio, columns, rows, count }: Storyboard, share: number) => {
  const tile = Math.min(count - 1, Math.max(0, Math.floor(share * count)))
  return {
    backgroundImage: `url("${url}")`,
    backgroundSize: `${100 * columns}% ${100 * rows}%`,
    backgroundPosition: `${percent(tile % columns, columns)} ${percent(Math.floor(tile / columns), rows)}`,
    aspectRatio: ratio,
    ...(ratio > 16 / 9 ? { width: '100%' } : { height: '100%' }),
  }
}
