import { realpath, stat } from 'node:fs/promises'
import { NotFoundError, type MediaFile, type ResumeInfo, type UploadProgress } from '@zoetrope/sdk'
import { formatBytes, formatSeconds } from './format-bytes.ts'
import type { ProgressRow } from './progress-board.ts'
import { openUploadState, type UploadState } from './upload-state.ts'

interface SendOptions {
  readonly onStart: (info: ResumeInfo) => void
  readonly onProgress: (progress: UploadProgress) => void
  readonly resume?: ResumeInfo
}

/**
 * The remaining time comes first, because a narrow terminal cuts the end of the line. Speed counts the bytes
 * of this process only.
 */
const describeSpeed = (
  sentBytes: number,
  firstBytes: number,
  sizeBytes: number,
  elapsedMs: number,
): string => {
  const amount = `${formatBytes(sentBytes)} of ${formatBytes(sizeBytes)}`
  const bytesPerSecond = ((sentBytes - firstBytes) / Math.max(1, elapsedMs)) * 1_000
  if (bytesPerSecond === 0) return amount
  return `${formatSeconds((sizeBytes - sentBytes) / bytesPerSecond)} left, ${formatBytes(bytesPerSecond)}/s, ${amount}`
}

export const uploadStateOf = async (
  path: string,
  place: { readonly apiBase: string; readonly projectId: number; readonly purpose: string },
): Promise<UploadState> => {
  const { size, mtimeMs } = await stat(path)
  const identity = {
    apiBase: `${place.apiBase} ${place.purpose}`,
    projectId: place.projectId,
    path: await realpath(path),
    sizeBytes: size,
    modifiedMs: mtimeMs,
  }
  return openUploadState(identity, process.env)
}

/** Uploads a local file and resumes an interrupted earlier run of the same command. */
export const sendFile = async (
  path: string,
  state: UploadState,
  row: ProgressRow,
  send: (options: SendOptions) => Promise<MediaFile>,
): Promise<MediaFile> => {
  const { size } = await stat(path)
  const startedMs = performance.now()
  let firstBytes: number | null = null
  const onProgress = ({ sentBytes }: UploadProgress): void => {
    firstBytes ??= sentBytes
    const details = describeSpeed(sentBytes, firstBytes, size, performance.now() - startedMs)
    row.step('uploading', sentBytes / size, details)
  }
  const begin = { onStart: state.save, onProgress }
  const resume = await state.find()
  row.step(resume === null ? 'uploading' : 'resuming', 0, formatBytes(size))
  try {
    return await send(resume === null ? begin : { ...begin, resume })
  } catch (error) {
    // The server has deleted the unfinished upload.
    if (resume === null || !(error instanceof NotFoundError)) throw error
    await state.remove()
    return send(begin)
  }
}
