import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Database } from '../../../platform/db/database.ts'

export interface InFlightBytes {
  readonly path: string
  /** Excludes bytes that are not verified yet. */
  readonly receivedBytes: number
}

/** In-flight uploads, for workers and playout on machines that share the data folder. */
export interface InFlightUploads {
  /** Null when the upload is complete, was given up, or has no bytes yet. */
  readonly ofUpload: (stagingName: string) => Promise<InFlightBytes | null>
  /** The upload that plays while it is in flight. */
  readonly ofFile: (fileId: number) => Promise<InFlightBytes | null>
  /**
   * State of an upload that plays or may play while in flight; null when readers should stop following it.
   */
  readonly follow: (stagingName: string) => Promise<FollowedUpload | null>
  /** Paths of a remux: `partial` while it is written, `whole` from its last byte on. */
  readonly remuxPaths: (mediaBlob: string) => RemuxPaths
  /** Null when the remux does not exist. */
  readonly ofRemux: (mediaBlob: string) => Promise<InFlightBytes | null>
}

export interface FollowedUpload {
  readonly isWhole: boolean
  readonly uncheckedAfter: number | null
}

interface RemuxPaths {
  readonly partial: string
  readonly whole: string
}

export const createInFlightUploads = (
  { kysely }: Database,
  pathOf: (stagingName: string) => string,
): InFlightUploads => {
  const unfinished = () =>
    kysely.selectFrom('uploads').select(['staging_name', 'unchecked_after']).where('completed_at', 'is', null)
  const bytesOf = async (
    upload: { readonly staging_name: string; readonly unchecked_after: number | null } | undefined,
  ): Promise<InFlightBytes | null> => {
    if (upload === undefined) return null
    const found = await bytesAt(pathOf(upload.staging_name))
    if (found === null) return null
    return { ...found, receivedBytes: Math.min(found.receivedBytes, upload.unchecked_after ?? Infinity) }
  }
  const remuxPaths = (mediaBlob: string): RemuxPaths => {
    const partial = pathOf(basename(mediaBlob))
    return { partial, whole: `${partial}.whole` }
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
    follow: async (stagingName) => {
      const upload = await kysely
        .selectFrom('uploads')
        .innerJoin('media_files', 'media_files.id', 'uploads.file_id')
        .select(['completed_at', 'unchecked_after'])
        .where('staging_name', '=', stagingName)
        .where('deleted_at', 'is', null)
        .where((query) =>
          query.or([
            query('arriving_upload', '=', query.ref('staging_name')),
            query.and([query('completed_at', 'is', null), query('look_at_bytes', 'is not', null)]),
          ]),
        )
        .executeTakeFirst()
      if (upload === undefined) return null
      return { isWhole: upload.completed_at !== null, uncheckedAfter: upload.unchecked_after }
    },
    remuxPaths,
    ofRemux: async (mediaBlob) => {
      const { partial, whole } = remuxPaths(mediaBlob)
      return (await bytesAt(partial)) ?? bytesAt(whole)
    },
  }
}

const bytesAt = async (path: string): Promise<InFlightBytes | null> => {
  try {
    return { path, receivedBytes: (await stat(path)).size }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
