import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'

export type Playlist = Awaited<ReturnType<typeof zoetrope.playlists.get>>
export type PlaylistElement = Playlist['Elements'][number]
export type Rules = NonNullable<Playlist['Rules']>
export type Condition = Rules['Conditions'][number]
export type PlaylistChange = Parameters<typeof zoetrope.playlists.update>[1]

export const playlistQuery = (playlistId: number) =>
  queryOptions({
    queryKey: queryKeys.playlist(playlistId),
    queryFn: ({ signal }) => zoetrope.playlists.get(playlistId, { signal }),
    // The client stores the ETag by object identity, so the object must not be copied.
    structuralSharing: false,
  })

/** Playout URLs, including links that work before the playlist is published. */
export const playlistPlayoutQuery = (playlistId: number) =>
  queryOptions({
    queryKey: [...queryKeys.playlist(playlistId), 'playouts'],
    queryFn: async ({ signal }) => {
      const page = await zoetrope.playlists.playouts(playlistId, { signal })
      return page.Playouts[0] ?? null
    },
  })
