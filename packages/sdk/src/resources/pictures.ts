import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createPictures = (http: HttpClient) => ({
  list: (projectId: number, fileId: number, query?: Query<'listPictures'>, options?: RequestOptions) =>
    list(http, 'listPictures', 'Pictures', { path: { projectId, fileId }, query, options }),
  /** Creates a picture from a video frame at a position, or from a JPEG, PNG or WebP as a typed Blob. */
  create: (
    projectId: number,
    fileId: number,
    picture: Body<'createPicture'> | Blob,
    query?: Query<'createPicture'>,
    options?: RequestOptions,
  ) =>
    http.call('createPicture', {
      path: { projectId, fileId },
      body: picture,
      ...(query && { query }),
      options,
    }),
  get: (projectId: number, fileId: number, filePictureId: number, options?: RequestOptions) =>
    http.call('getPicture', { path: { projectId, fileId, filePictureId }, options }),
  update: (
    projectId: number,
    fileId: number,
    filePictureId: number,
    body: Body<'updatePicture'>,
    options?: RequestOptions,
  ) => http.call('updatePicture', { path: { projectId, fileId, filePictureId }, body, options }),
  delete: (projectId: number, fileId: number, filePictureId: number, options?: RequestOptions) =>
    http.call('deletePicture', { path: { projectId, fileId, filePictureId }, options }),
})
