import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, MediaFile, Query } from '../operation-types.ts'
import { replaceFileSource, uploadFile, type ReplaceOptions, type UploadOptions } from '../upload-file.ts'
import type { UploadInput } from '../upload-source.ts'
import { waitForFile, type WaitGoal, type WaitOptions } from '../wait-for-file.ts'

export const createFiles = (http: HttpClient) => ({
  list: (projectId: number, query?: Query<'listFiles'>, options?: RequestOptions) =>
    list(http, 'listFiles', 'Files', { path: { projectId }, query, options }),
  /** The files of all projects that the key may see, by `externalId` for example. */
  listAll: (query?: Query<'listAllFiles'>, options?: RequestOptions) =>
    list(http, 'listAllFiles', 'Files', { query, options }),
  get: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('getFile', { path: { projectId, fileId }, options }),
  /** Makes the record and its upload URL; `upload` does this and sends the bytes. */
  create: (projectId: number, body: Body<'createFile'>, options?: RequestOptions) =>
    http.call('createFile', { path: { projectId }, body, options }),
  /**
   * Uploads a path, Blob, bytes or stream, and goes on where it was after broken connections. Resolves when all bytes are safe on the
   * server and processing has begun; `waitFor` tells when the file can be played.
   */
  upload: (projectId: number, input: UploadInput, options?: UploadOptions): Promise<MediaFile> =>
    uploadFile(http, projectId, input, options),
  waitFor: (projectId: number, fileId: number, goal: WaitGoal, options?: WaitOptions): Promise<MediaFile> =>
    waitForFile(http, projectId, fileId, goal, options),
  /** Gives the file another source, as `upload` sends one; the old one plays until the new one does. */
  replace: (
    projectId: number,
    fileId: number,
    input: UploadInput,
    options?: ReplaceOptions,
  ): Promise<MediaFile> => replaceFileSource(http, projectId, fileId, input, options),
  /** Partial: absent fields stay as they are, null clears. */
  update: (projectId: number, fileId: number, body: Body<'updateFile'>, options?: RequestOptions) =>
    http.call('updateFile', { path: { projectId, fileId }, body, options }),
  updateMetadata: (
    projectId: number,
    fileId: number,
    body: Body<'updateFileMetadata'>,
    options?: RequestOptions,
  ) => http.call('updateFileMetadata', { path: { projectId, fileId }, body, options }),
  delete: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('deleteFile', { path: { projectId, fileId }, options }),
  /** Brings a deleted file back until it is purged. */
  restore: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('restoreFile', { path: { projectId, fileId }, options }),
  /** Processes the source again after a failure; with `force` also a file that is finished. */
  retry: (projectId: number, fileId: number, query?: Query<'retryFile'>, options?: RequestOptions) =>
    http.call('retryFile', { path: { projectId, fileId }, ...(query && { query }), options }),
  /** Makes a part of the file a file of its own, cut without encoding by the key frame at or before `StartTime`. */
  clip: (projectId: number, fileId: number, body: Body<'createClip'>, options?: RequestOptions) =>
    http.call('createClip', { path: { projectId, fileId }, body, options }),
  /** Where the file plays; with signed preview URLs for files that are not published. */
  playouts: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('listPlayouts', { path: { projectId, fileId }, options }),
  /** Links for one viewer, in projects with TokenSecurity; they work for four hours unless the body says otherwise. */
  signPlayout: (
    projectId: number,
    fileId: number,
    body: Body<'signPlayout'> = {},
    options?: RequestOptions,
  ) => http.call('signPlayout', { path: { projectId, fileId }, body, options }),
})
