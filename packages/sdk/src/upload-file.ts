import type { HttpClient } from './http-client.ts'
import type { Body, MediaFile } from './operation-types.ts'
import { defaultPartBytes, sendParts, type ResumeInfo, type UploadProgress } from './upload.ts'
import { openSource, type UploadInput } from './upload-source.ts'

type NewFile = Omit<Body<'createFile'>, 'FileName' | 'FileSize'>

/** What the new record gets besides its bytes: `Metadata`, `EncodingPriority` and so on. */
export interface UploadOptions extends Partial<NewFile> {
  /** Needed for streams and bytes, which have no name. */
  readonly fileName?: string
  readonly onProgress?: (progress: UploadProgress) => void
  /** Called once the record is there: keep what it gets, and an upload can go on after this process has died. */
  readonly onStart?: (info: ResumeInfo) => void
  /** Goes on with an earlier upload of the same bytes. */
  readonly resume?: ResumeInfo
  readonly partBytes?: number
  readonly signal?: AbortSignal
}

export const uploadFile = async (
  http: HttpClient,
  projectId: number,
  input: UploadInput,
  options: UploadOptions = {},
): Promise<MediaFile> => {
  const { fileName, onProgress, onStart, resume, partBytes = defaultPartBytes, signal, ...record } = options
  const requestOptions = signal === undefined ? {} : { signal }
  if (!Number.isSafeInteger(partBytes) || partBytes < 1)
    throw new TypeError('partBytes must be a whole number above 0')
  const source = await openSource(input, partBytes)
  try {
    const begin = async (): Promise<ResumeInfo> => {
      const name = fileName ?? source.name
      if (name === null) throw new TypeError('fileName is needed where the source has no name')
      const file = await http.call('createFile', {
        path: { projectId },
        body: {
          ...record,
          FileName: name,
          ...(source.sizeBytes === null ? {} : { FileSize: source.sizeBytes }),
        },
        options: requestOptions,
      })
      if (!file.Upload) throw new TypeError('a file that Zoetrope pulls itself takes no bytes from here')
      return { fileId: file.Id, uploadUri: file.Upload.URI }
    }
    if (source.sizeBytes === 0) throw new TypeError('the source is empty: there is nothing to upload')
    const info = resume ?? (await begin())
    if (resume === undefined) onStart?.(info)
    await sendParts(http, source, info.uploadUri, {
      isResumed: resume !== undefined,
      ...(signal && { signal }),
      ...(onProgress && { onProgress }),
    })
    return await http.call('getFile', { path: { projectId, fileId: info.fileId }, options: requestOptions })
  } finally {
    await source.close()
  }
}
