import { stat } from 'node:fs/promises'
import type { Database } from '../kernel/db/database.ts'

/** The bytes that are here of an upload that is not complete. */
export interface ArrivingBytes {
  readonly path: string
  /** Those that count: what nobody has checked yet does not. */
  readonly receivedBytes: number
}

/** Uploads that are not complete, for those who read what has arrived: workers and playout, on machines that share the data folder. */
export interface ArrivingFiles {
  /** Null when it is complete, was given up, or nothing has arrived. */
  readonly ofUpload: (stagingName: string) => Promise<ArrivingBytes | null>
  /** The upload that plays while it arrives. */
  readonly ofFile: (fileId: number) => Promise<ArrivingBytes | null>
}

export const createArrivingFiles = (
  { kysely }: Database,
  pathOf: (stagingName: string) => string,
): ArrivingFiles => {
  const unfinished = () =>
    kysely.selectFrom('uploads').select(['staging_name', 'unchecked_after']).where('completed_at', 'is', null)
  const bytesOf = async (
    upload: { readonly staging_name: string; readonly unchecked_after: number | null } | undefined,
  ): Promise<ArrivingBytes | null> => {
    if (upload === undefined) return null
    const path = pathOf(upload.staging_name)
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    if (found === null) return null
    return { path, receivedBytes: Math.min(found.size, upload.unchecked_after ?? found.size) }
  }
  return {
    ofUpload: async (stagingName) =>
      bytesOf(await unfinished().where('staging_name', '=', stagingName).executeTakeFirst()),
    ofFile: async (fileId) =>
      bytesOf(
        await unfinished()
          .where('file_id', '=', fileId)
          .where('staging_name', '=', (query) =>
            query.selectFrom('media_files').select('arriving_upload').where('id', '=', fileId),
          )
          .executeTakeFirst(),
      ),
  }
}
