import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createProjects = (http: HttpClient) => ({
  list: (query?: Query<'listProjects'>, options?: RequestOptions) =>
    list(http, 'listProjects', 'Projects', { query, options }),
  create: (body: Body<'createProject'>, options?: RequestOptions) =>
    http.call('createProject', { body, options }),
  get: (projectId: number, options?: RequestOptions) =>
    http.call('getProject', { path: { projectId }, options }),
  /** Changes only the given fields; null clears. */
  update: (projectId: number, body: Body<'updateProject'>, options?: RequestOptions) =>
    http.call('updateProject', { path: { projectId }, body, options }),
  /** Deletes the project. A project with files requires `cascade`. */
  delete: (projectId: number, query?: Query<'deleteProject'>, options?: RequestOptions) =>
    http.call('deleteProject', { path: { projectId }, ...(query && { query }), options }),
  /** Restores a deleted project with the files that were deleted with it. */
  restore: (projectId: number, options?: RequestOptions) =>
    http.call('restoreProject', { path: { projectId }, options }),
  getWatermark: (projectId: number, options?: RequestOptions) =>
    http.call('getWatermark', { path: { projectId }, options }),
  /**
   * Changes the watermark: a partial body with `Picture` in base64, or the PNG as a typed Blob. It applies to
   * later encodes.
   */
  updateWatermark: (projectId: number, body: Body<'updateWatermark'> | Blob, options?: RequestOptions) =>
    http.call('updateWatermark', { path: { projectId }, body, options }),
  deleteWatermark: (projectId: number, options?: RequestOptions) =>
    http.call('deleteWatermark', { path: { projectId }, options }),
  /**
   * Changes the logo in the player: a partial body with `Picture` in base64, or the picture as a typed Blob.
   * Returns the project.
   */
  updateLogo: (projectId: number, body: Body<'updateLogo'> | Blob, options?: RequestOptions) =>
    http.call('updateLogo', { path: { projectId }, body, options }),
  deleteLogo: (projectId: number, options?: RequestOptions) =>
    http.call('deleteLogo', { path: { projectId }, options }),
})
