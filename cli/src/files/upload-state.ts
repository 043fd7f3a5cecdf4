import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ResumeInfo } from '@zoetrope/sdk'
import { isRunning } from './is-running.ts'

/** Identity of an upload: other bytes or another destination make another upload. */
export interface UploadIdentity {
  readonly apiBase: string
  readonly projectId: number
  readonly path: string
  readonly sizeBytes: number
  readonly modifiedMs: number
}

interface SavedUpload extends ResumeInfo {
  readonly path: string
  readonly pid: number
}

interface DoneUpload {
  readonly path: string
  readonly doneFileId: number
}

/** Longer than the default time for which the server keeps an unfinished upload. */
const keptMs = 8 * 24 * 3_600_000

const folderOf = (environment: NodeJS.ProcessEnv): string =>
  join(environment['XDG_STATE_HOME'] || join(homedir(), '.local/state'), 'zoetrope/uploads')

const fileOf = (
  folder: string,
  { apiBase, projectId, path, sizeBytes, modifiedMs }: UploadIdentity,
): string => {
  const identity = JSON.stringify([apiBase, projectId, path, sizeBytes, modifiedMs])
  return join(folder, `${createHash('sha256').update(identity).digest('hex').slice(0, 32)}.json`)
}

/**
 * Stores the information to resume an interrupted upload, even after kill -9. The upload URL is a credential,
 * so only the owner can read the file, which is deleted with the last byte.
 */
export interface UploadState {
  /** Null without a readable state. Throws while another process uploads the same file. */
  readonly find: () => Promise<ResumeInfo | null>
  readonly save: (info: ResumeInfo) => void
  /** Id of the uploaded file. Null when the upload is not complete. */
  readonly findDone: () => Promise<number | null>
  /** Replaces the resume information once this file is complete, while other files of the command remain. */
  readonly saveDone: (fileId: number) => void
  readonly remove: () => Promise<void>
}

export const openUploadState = (identity: UploadIdentity, environment: NodeJS.ProcessEnv): UploadState => {
  const folder = folderOf(environment)
  const file = fileOf(folder, identity)
  const write = (saved: SavedUpload | DoneUpload): void => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(saved), { mode: 0o600 })
    renameSync(temporary, file)
  }
  const read = async (): Promise<Partial<SavedUpload & DoneUpload>> => {
    const text = await readFile(file, 'utf8').catch(() => '{}')
    try {
      return JSON.parse(text) as Partial<SavedUpload & DoneUpload>
    } catch {
      return {}
    }
  }
  const save = (info: ResumeInfo): void => write({ ...info, path: identity.path, pid: process.pid })
  return {
    find: async () => {
      const { fileId, uploadUri, pid } = await read()
      if (fileId === undefined || uploadUri === undefined || pid === undefined) return null
      if (pid !== process.pid && (await isRunning(pid)))
        throw new Error(
          `Process ${pid} is uploading ${identity.path}. If that process is another program, delete ${file}.`,
        )
      const info = { fileId, uploadUri }
      save(info)
      return info
    },
    save,
    findDone: async () => (await read()).doneFileId ?? null,
    saveDone: (doneFileId) => write({ path: identity.path, doneFileId }),
    remove: () => rm(file, { force: true }),
  }
}

export const dropOldStates = async (environment: NodeJS.ProcessEnv): Promise<void> => {
  const folder = folderOf(environment)
  for (const name of await readdir(folder).catch(() => [])) {
    const stats = await stat(join(folder, name)).catch(() => null)
    if (stats !== null && Date.now() - stats.mtimeMs > keptMs) await rm(join(folder, name), { force: true })
  }
}
