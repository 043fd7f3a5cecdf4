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
  /** Partial: absent fields stay as they are, null clears. */
  update: (projectId: number, body: Body<'updateProject'>, options?: RequestOptions) =>
    http.call('updateProject', { path: { projectId }, body, options }),
  /** A project that still has files is deleted only with `cascade`. */
  delete: (projectId: number, query?: Query<'deleteProject'>, options?: RequestOptions) =>
    http.call('deleteProject', { path: { projectId }, ...(query && { query }), options }),
  /** Brings a deleted project back, with the files that were deleted along with it. */
  restore: (projectId: number, options?: RequestOptions) =>
    http.call('restoreProject', { path: { projectId }, options }),
  getWatermark: (projectId: number, options?: RequestOptions) =>
    http.call('getWatermark', { path: { projectId }, options }),
  /** Partial, with `Picture` in base64; or the PNG alone, as a Blob with its type. What is encoded from then on has it. */
  updateWatermark: (projectId: number, body: Body<'updateWatermark'> | Blob, options?: RequestOptions) =>
    http.call('updateWatermark', { path: { projectId }, body, options }),
  deleteWatermark: (projectId: number, options?: RequestOptions) =>
    http.call('deleteWatermark', { path: { projectId }, options }),
  /** In a corner of the player. Partial, with `Picture` in base64; or the picture alone, as a Blob with its type. Answers the project. */
  updateLogo: (projectId: number, body: Body<'updateLogo'> | Blob, options?: RequestOptions) =>
    http.call('updateLogo', { path: { projectId }, body, options }),
  deleteLogo: (projectId: number, options?: RequestOptions) =>
    http.call('deleteLogo', { path: { projectId }, options }),
})
