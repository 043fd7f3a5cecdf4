import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createPlaylists = (http: HttpClient) => ({
  list: (query?: Query<'listPlaylists'>, options?: RequestOptions) =>
    list(http, 'listPlaylists', 'Playlists', { query, options }),
  create: (body: Body<'createPlaylist'>, options?: RequestOptions) =>
    http.call('createPlaylist', { body, options }),
  /** Returns the elements that an automatic playlist with these rules would have. Stores nothing. */
  preview: (body: Body<'previewPlaylist'>, options?: RequestOptions) =>
    http.call('previewPlaylist', { body, options }),
  get: (playlistId: number, options?: RequestOptions) =>
    http.call('getPlaylist', { path: { playlistId }, options }),
  /** Changes only the given fields; null clears. `Elements` replaces the whole order. */
  update: (playlistId: number, body: Body<'updatePlaylist'>, options?: RequestOptions) =>
    http.call('updatePlaylist', { path: { playlistId }, body, options }),
  delete: (playlistId: number, options?: RequestOptions) =>
    http.call('deletePlaylist', { path: { playlistId }, options }),
  restore: (playlistId: number, options?: RequestOptions) =>
    http.call('restorePlaylist', { path: { playlistId }, options }),
  addElements: (playlistId: number, body: Body<'addPlaylistElements'>, options?: RequestOptions) =>
    http.call('addPlaylistElements', { path: { playlistId }, body, options }),
  /** Returns the playback URLs of the playlist as one stream, or signed preview URLs if it is unpublished. */
  playouts: (playlistId: number, options?: RequestOptions) =>
    http.call('listPlaylistPlayouts', { path: { playlistId }, options }),
  /** Returns links for one viewer, for projects with TokenSecurity. They work for four hours by default. */
  signPlayout: (playlistId: number, body: Body<'signPlaylistPlayout'> = {}, options?: RequestOptions) =>
    http.call('signPlaylistPlayout', { path: { playlistId }, body, options }),
  /** Ends signed links before they expire, by the TokenId of their signature. */
  revokeToken: (playlistId: number, tokenId: string, options?: RequestOptions) =>
    http.call('revokePlaylistToken', { path: { playlistId, token: tokenId }, options }),
})
