import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createCaptions = (http: HttpClient) => ({
  list: (projectId: number, fileId: number, query?: Query<'listCaptions'>, options?: RequestOptions) =>
    list(http, 'listCaptions', 'Captions', { path: { projectId, fileId }, query, options }),
  /** Creates a caption track. `Content` is WebVTT or SubRip. */
  create: (projectId: number, fileId: number, body: Body<'createCaption'>, options?: RequestOptions) =>
    http.call('createCaption', { path: { projectId, fileId }, body, options }),
  get: (projectId: number, fileId: number, captionId: number, options?: RequestOptions) =>
    http.call('getCaption', { path: { projectId, fileId, captionId }, options }),
  update: (
    projectId: number,
    fileId: number,
    captionId: number,
    body: Body<'updateCaption'>,
    options?: RequestOptions,
  ) => http.call('updateCaption', { path: { projectId, fileId, captionId }, body, options }),
  delete: (projectId: number, fileId: number, captionId: number, options?: RequestOptions) =>
    http.call('deleteCaption', { path: { projectId, fileId, captionId }, options }),
})
