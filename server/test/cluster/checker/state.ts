import { GetObjectCommand, paginateListObjectsV2, S3Client } from '@aws-sdk/client-s3'
import type { Database } from '../../../src/platform/db/database.ts'
import type { S3Server } from '../../support/s3-server.ts'
import { waitFor } from '../../support/wait-for.ts'
import type { LiveEvent } from '../../kill/live-census.ts'
import type { EventRow } from './events.ts'
import type { FileRow } from './files.ts'

/** Direct access to the bucket, without the API. */
export const openBucket = (access: Omit<S3Server, 'stop'>) => {
  const { endpoint, region, accessKeyId, secretAccessKey, bucket } = access
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
  })
  return {
    list: async (): Promise<Map<string, number>> => {
      const sizes = new Map<string, number>()
      for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket }))
        for (const { Key = '', Size = 0 } of Contents) sizes.set(Key, Size)
      return sizes
    },
    read: async (key: string): Promise<Buffer> => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    close: () => client.destroy(),
  }
}

export const readFiles = async ({ kysely }: Database): Promise<Map<number, FileRow>> => {
  const rows = await kysely
    .selectFrom('media_files')
    .select(['id', 'state', 'error_message', 'source_blob'])
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      { id: row.id, state: row.state, error: row.error_message, sourceBlob: row.source_blob },
    ]),
  )
}

export interface AllEvents {
  readonly rows: readonly EventRow[]
  readonly live: readonly LiveEvent[]
  /** Titles in the events of each file. */
  readonly titles: ReadonlyMap<number, ReadonlySet<string>>
}

export const readEvents = async ({ kysely }: Database): Promise<AllEvents> => {
  const all = await kysely
    .selectFrom('events')
    .select(['id', 'project_id', 'file_id', 'name', 'subject', 'sequence', 'record'])
    .orderBy('id')
    .execute()
  const ours = all.filter(({ subject }) => subject === 'File' || subject === 'Live')
  const titles = new Map<number, Set<string>>()
  for (const { file_id, subject, record } of ours) {
    if (file_id === null || subject !== 'File') continue
    const ofFile = titles.get(file_id) ?? new Set()
    titles.set(file_id, ofFile.add(JSON.parse(record).Metadata?.Title))
  }
  return {
    rows: ours.map(({ id, project_id, file_id, subject, name, sequence }) => ({
      id,
      subject: subject === 'Live' ? `live ${project_id}` : `file ${file_id}`,
      name,
      sequence,
    })),
    live: ours
      .filter(({ subject }) => subject === 'Live')
      .map((row): LiveEvent => ({ ...row, record: JSON.parse(row.record) })),
    titles,
  }
}

/** Work that is not done yet. */
const readPending = async ({ sql }: Database): Promise<string[]> => {
  const [row] = await sql<Record<string, number>[]>`
    select
      (select count(*)::int from deliveries where state in ('pending', 'waiting')) as deliveries,
      (select count(*)::int from media_files where deleted_at is null and source_blob is not null
        and state not in ('finished', 'degraded', 'failed')) as files,
      (select count(*)::int from pulls) as pulls,
      (select count(*)::int from live_recordings where state in ('recording', 'finishing')) as recordings,
      (select count(*)::int from live_broadcasts where ended_at is null) as broadcasts,
      (select count(*)::int from media_files where deleted_at is not null) as purges,
      (select count(*)::int from pgboss.job where name like 'file.%'
        and state in ('created', 'retry', 'active') and start_after < now() + interval '10 minutes') as jobs`
  return Object.entries(row ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name}`)
}

/** Waits until all work is done. Returns what is left when the time is up. */
export const waitForRest = async (
  database: Database,
  timeoutMs: number,
  say: (text: string) => void,
): Promise<string[]> => {
  let last = ''
  return waitFor(
    async () => {
      const pending = await readPending(database)
      if (pending.join() !== last) say(`waiting for ${pending.join(', ') || 'nothing'}`)
      last = pending.join()
      return pending
    },
    (pending) => pending.length === 0,
    timeoutMs,
    1_000,
  ).catch(() => readPending(database))
}
