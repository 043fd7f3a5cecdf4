import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, MediaFile, Query } from '../operation-types.ts'
import { replaceFileSource, uploadFile, type ReplaceOptions, type UploadOptions } from '../upload-file.ts'
import type { UploadInput } from '../upload-source.ts'
import { waitForFile, type WaitGoal, type WaitOptions } from '../wait-for-file.ts'

export const createFiles = (http: HttpClient) => ({
  list: (projectId: number, query?: Query<'listFiles'>, options?: RequestOptions) =>
    list(http, 'listFiles', 'Files', { path: { projectId }, query, options }),
  /** Lists the files of all projects that the key can access, filtered by `externalId`, for example. */
  listAll: (query?: Query<'listAllFiles'>, options?: RequestOptions) =>
    list(http, 'listAllFiles', 'Files', { query, options }),
  get: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('getFile', { path: { projectId, fileId }, options }),
  /** Creates the record and its upload URL. `upload` does this and also sends the bytes. */
  create: (projectId: number, body: Body<'createFile'>, options?: RequestOptions) =>
    http.call('createFile', { path: { projectId }, body, options }),
  /**
   * Uploads a path, Blob, bytes or stream, and resumes after lost connections. Resolves when the server has
   * stored all bytes and started processing; `waitFor` resolves when the file is playable.
   */
  upload: (projectId: number, input: UploadInput, options?: UploadOptions): Promise<MediaFile> =>
    uploadFile(http, projectId, input, options),
  waitFor: (projectId: number, fileId: number, goal: WaitGoal, options?: WaitOptions): Promise<MediaFile> =>
    waitForFile(http, projectId, fileId, goal, options),
  /** Uploads a new source for the file, like `upload`. The old one plays until the new one is playable. */
  replace: (
    projectId: number,
    fileId: number,
    input: UploadInput,
    options?: ReplaceOptions,
  ): Promise<MediaFile> => replaceFileSource(http, projectId, fileId, input, options),
  /** Changes only the given fields; null clears. */
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
  /** Restores a deleted file that is not yet purged. */
  restore: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('restoreFile', { path: { projectId, fileId }, options }),
  /** Moves the file to another project of the account. Its playback URLs stay valid. */
  move: (projectId: number, fileId: number, body: Body<'moveFile'>, options?: RequestOptions) =>
    http.call('moveFile', { path: { projectId, fileId }, body, options }),
  /** Processes the source again after a failure; with `force`, also that of a finished file. */
  retry: (projectId: number, fileId: number, query?: Query<'retryFile'>, options?: RequestOptions) =>
    http.call('retryFile', { path: { projectId, fileId }, ...(query && { query }), options }),
  /**
   * Creates a file from a part of this one. It starts at the key frame at or before `StartTime`, without
   * encoding.
   */
  clip: (projectId: number, fileId: number, body: Body<'createClip'>, options?: RequestOptions) =>
    http.call('createClip', { path: { projectId, fileId }, body, options }),
  /** Returns the playback URLs, or signed preview URLs for an unpublished file. */
  playouts: (projectId: number, fileId: number, options?: RequestOptions) =>
    http.call('listPlayouts', { path: { projectId, fileId }, options }),
  /** Returns links for one viewer, for projects with TokenSecurity. They work for four hours by default. */
  signPlayout: (
    projectId: number,
    fileId: number,
    body: Body<'signPlayout'> = {},
    options?: RequestOptions,
  ) => http.call('signPlayout', { path: { projectId, fileId }, body, options }),
  /** Ends signed links before they expire, by the TokenId of their signature. */
  revokeToken: (projectId: number, fileId: number, tokenId: string, options?: RequestOptions) =>
    http.call('revokePlayoutToken', { path: { projectId, fileId, token: tokenId }, options }),
})
