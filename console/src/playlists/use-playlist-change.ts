import { metaOf } from '@zoetrope/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { playlistQuery, type Playlist, type PlaylistChange } from './playlist-queries.ts'

/** Changes a playlist as it was seen: what somebody else has changed meanwhile is not written over. */
export const usePlaylistChange = (playlist: Playlist) => {
  const client = useQueryClient()
  const { queryKey } = playlistQuery(playlist.Id)
  return useMutation({
    // One after the other: each goes by the version that the one before it made.
    scope: { id: `playlist-${playlist.Id}` },
    mutationFn: (change: PlaylistChange) => {
      const etag = metaOf(client.getQueryData(queryKey) ?? playlist)?.etag
      return zoetrope.playlists.update(playlist.Id, change, etag == null ? {} : { ifMatch: etag })
    },
    onSuccess: async (changed) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, changed)
      await client.invalidateQueries({ queryKey: [...queryKey, 'playouts'] })
      await client.invalidateQueries({ queryKey: [...queryKeys.playlists, 'list'] })
    },
    // What is there now is shown again.
    onError: () => client.invalidateQueries({ queryKey }),
  })
}
