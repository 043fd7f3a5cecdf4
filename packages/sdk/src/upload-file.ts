import type { HttpClient, RequestOptions } from './http-client.ts'
import type { Answer, Body, MediaFile } from './operation-types.ts'
import { defaultPartBytes, sendParts, type ResumeInfo, type UploadProgress } from './upload.ts'
import { openSource, type UploadInput } from './upload-source.ts'

type NewFile = Omit<Body<'createFile'>, 'FileName' | 'FileSize'>

/** Fields of the new record, such as `Metadata` and `EncodingPriority`, and options of the transfer. */
export interface UploadOptions extends Partial<NewFile> {
  /** Required for streams and bytes, which have no name. */
  readonly fileName?: string
  readonly onProgress?: (progress: UploadProgress) => void
  /** Called when the record exists. Store the argument to resume the upload in another process. */
  readonly onStart?: (info: ResumeInfo) => void
  /** Called when sending a part failed and the client will retry it. */
  readonly onRetry?: (error: unknown) => void
  /** Resumes an earlier upload of the same bytes. */
  readonly resume?: ResumeInfo
  readonly partBytes?: number
  readonly signal?: AbortSignal
}

/** Creates the record, or the replacement, that receives the bytes. */
type Begin = (source: { FileName: string; FileSize?: number }, options: RequestOptions) => Promise<ResumeInfo>

const infoOf = (file: Answer<'createFile'>): ResumeInfo => {
  if (!file.Upload) throw new TypeError('a file with SourceURI cannot be uploaded')
  return { fileId: file.Id, uploadUri: file.Upload.URI }
}

const sendSource = async (
  http: HttpClient,
  projectId: number,
  input: UploadInput,
  begin: Begin,
  options: Omit<UploadOptions, keyof NewFile>,
): Promise<MediaFile> => {
  const { fileName, onProgress, onRetry, onStart, resume, partBytes = defaultPartBytes, signal } = options
  if (!Number.isSafeInteger(partBytes) || partBytes < 1)
    throw new TypeError('partBytes must be a whole number above 0')
  const requestOptions = signal === undefined ? {} : { signal }
  const source = await openSource(input, partBytes)
  try {
    const name = fileName ?? source.name
    if (source.sizeBytes === 0) throw new TypeError('the source is empty: there is nothing to upload')
    if (name === null && resume === undefined)
      throw new TypeError('fileName is required for a source without a name')
    const description = {
      FileName: name ?? '',
      ...(source.sizeBytes === null ? {} : { FileSize: source.sizeBytes }),
    }
    const info = resume ?? (await begin(description, requestOptions))
    if (resume === undefined) onStart?.(info)
    await sendParts(http, source, info.uploadUri, {
      isResumed: resume !== undefined,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
      ...(onRetry && { onRetry }),
    })
    return await http.call('getFile', { path: { projectId, fileId: info.fileId }, options: requestOptions })
  } finally {
    await source.close()
  }
}

const recordOf = (options: UploadOptions): Partial<NewFile> => {
  const sending = ['fileName', 'onProgress', 'onRetry', 'onStart', 'resume', 'partBytes', 'signal']
  return Object.fromEntries(Object.entries(options).filter(([name]) => !sending.includes(name)))
}

export const uploadFile = (
  http: HttpClient,
  projectId: number,
  input: UploadInput,
  options: UploadOptions = {},
): Promise<MediaFile> => {
  const begin: Begin = async (source, requestOptions) =>
    infoOf(
      await http.call('createFile', {
        path: { projectId },
        body: { ...recordOf(options), ...source },
        options: requestOptions,
      }),
    )
  return sendSource(http, projectId, input, begin, options)
}

export type ReplaceOptions = Omit<UploadOptions, keyof NewFile>

export const replaceFileSource = (
  http: HttpClient,
  projectId: number,
  fileId: number,
  input: UploadInput,
  options: ReplaceOptions = {},
): Promise<MediaFile> => {
  const begin: Begin = async (source, requestOptions) =>
    infoOf(
      await http.call('replaceFile', { path: { projectId, fileId }, body: source, options: requestOptions }),
    )
  return sendSource(http, projectId, input, begin, options)
}
