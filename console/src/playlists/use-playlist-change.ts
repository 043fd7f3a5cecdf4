import { metaOf } from '@zoetrope/sdk'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { playlistQuery, type Playlist, type PlaylistChange } from './playlist-queries.ts'

export const storePlaylist = async (client: QueryClient, changed: Playlist): Promise<void> => {
  const { queryKey } = playlistQuery(changed.Id)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, changed)
}

/** Loads again what a change of the playlist can change. */
export const reloadPlaylists = async (client: QueryClient, { Id }: Playlist): Promise<void> => {
  await client.invalidateQueries({ queryKey: [...playlistQuery(Id).queryKey, 'playouts'] })
  await client.invalidateQueries({ queryKey: [...queryKeys.playlists, 'list'] })
}

/** Changes a playlist under its ETag, so that concurrent changes are not overwritten. */
export const usePlaylistChange = (playlist: Playlist) => {
  const client = useQueryClient()
  const { queryKey } = playlistQuery(playlist.Id)
  return useMutation({
    // Sequential, because each change uses the version of the previous one.
    scope: { id: `playlist-${playlist.Id}` },
    mutationFn: (change: PlaylistChange) => {
      const etag = metaOf(client.getQueryData(queryKey) ?? playlist)?.etag
      return zoetrope.playlists.update(playlist.Id, change, etag == null ? {} : { ifMatch: etag })
    },
    onSuccess: async (changed) => {
      await storePlaylist(client, changed)
      await reloadPlaylists(client, changed)
    },
    onError: () => client.invalidateQueries({ queryKey }),
  })
}
