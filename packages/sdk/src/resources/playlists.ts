import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createPlaylists = (http: HttpClient) => ({
  list: (query?: Query<'listPlaylists'>, options?: RequestOptions) =>
    list(http, 'listPlaylists', 'Playlists', { query, options }),
  create: (body: Body<'createPlaylist'>, options?: RequestOptions) =>
    http.call('createPlaylist', { body, options }),
  /** What an automatic playlist with these rules would hold now; nothing is kept. */
  preview: (body: Body<'previewPlaylist'>, options?: RequestOptions) =>
    http.call('previewPlaylist', { body, options }),
  get: (playlistId: number, options?: RequestOptions) =>
    http.call('getPlaylist', { path: { playlistId }, options }),
  /** Partial: absent fields stay as they are, null clears; `Elements` replaces the whole order. */
  update: (playlistId: number, body: Body<'updatePlaylist'>, options?: RequestOptions) =>
    http.call('updatePlaylist', { path: { playlistId }, body, options }),
  delete: (playlistId: number, options?: RequestOptions) =>
    http.call('deletePlaylist', { path: { playlistId }, options }),
  restore: (playlistId: number, options?: RequestOptions) =>
    http.call('restorePlaylist', { path: { playlistId }, options }),
  addElements: (playlistId: number, body: Body<'addPlaylistElements'>, options?: RequestOptions) =>
    http.call('addPlaylistElements', { path: { playlistId }, body, options }),
  /** Where the playlist plays as one stream; with signed preview URLs where it is not published. */
  playouts: (playlistId: number, options?: RequestOptions) =>
    http.call('listPlaylistPlayouts', { path: { playlistId }, options }),
  /** Links for one viewer, in projects with TokenSecurity; they work for four hours unless the body says otherwise. */
  signPlayout: (playlistId: number, body: Body<'signPlaylistPlayout'> = {}, options?: RequestOptions) =>
    http.call('signPlaylistPlayout', { path: { playlistId }, body, options }),
})
