import { openDatabase } from '../../../src/platform/db/database.ts'
import { checkStream } from '../../kill/live-census.ts'
import { compareBlobs } from '../../kill/media-inventory.ts'
import type { Cluster } from '../cluster.ts'
import { databaseUrl } from '../services/database-pair.ts'
import type { Client } from '../workload/client.ts'
import { entriesOf, type Logged } from '../workload/journal.ts'
import { checkChanges, checkDeliveries, checkSequences } from './events.ts'
import { checkRecords, checkUploads } from './files.ts'
import { lost, wrong, type Finding } from './findings.ts'
import { openBucket, readEvents, readFiles, waitForRest } from './state.ts'

/** A delivery that failed twice waits five minutes. */
const restMs = 8 * 60_000

/** Stores of what is temporary: DVR windows, and pieces of uploads that housekeeping sweeps after a day. */
const isTemporary = (key: string): boolean => key.startsWith('live/') || key.startsWith('uploads/')

/** A publisher may stop before its first frame, lose its node, or come back before its former connection is known to be dead. */
const isExpectedOfPublishers = /: live\.(?:failed as (?:unpublished|server_failed)|publisher_refused as )/

export interface CheckOptions {
  /** Read when nothing is under way any more. */
  readonly readJournal: () => Promise<readonly Logged[]>
  readonly client: Client
  readonly webhookId: number
  readonly say: (text: string) => void
}

export interface Checked {
  readonly findings: readonly Finding[]
  readonly figures: Readonly<Record<string, string | number>>
}

/** Compares the acknowledged requests of the clients with the API, the rows and the objects in the bucket. */
export const checkCluster = async (
  cluster: Cluster,
  { readJournal, client, webhookId, say }: CheckOptions,
): Promise<Checked> => {
  const database = openDatabase({ url: databaseUrl }, { maxConnections: 2 })
  const bucket = openBucket(cluster.store.access)
  try {
    const pending = await waitForRest(database, restMs, say)
    const journal = await readJournal()
    const events = await readEvents(database)
    const rows = await readFiles(database)
    const recordings = await database.kysely.selectFrom('live_recordings').selectAll().execute()
    const media = await compareBlobs(
      { url: databaseUrl },
      async () => new Map([...(await bucket.list())].filter(([key]) => !isTemporary(key))),
    )
    const live = [...Map.groupBy(events.live, ({ project_id }) => project_id)]
    const findings: Finding[] = [
      ...entriesOf(journal, 'wrong').map(({ text }) =>
        /^LOST|: LOST/.test(text) ? lost(text) : wrong(text),
      ),
      ...pending.map((text) => wrong(`still under way: ${text}`)),
      ...(await checkUploads(journal, client, { rows, readBlob: bucket.read })),
      ...(await checkRecords(journal, client)),
      ...checkSequences(events.rows),
      ...checkDeliveries(journal, events.rows, webhookId),
      ...checkChanges(journal, events.titles),
      ...live
        .flatMap(([id, of]) => checkStream(id, of))
        .filter((text) => !isExpectedOfPublishers.test(text))
        .map(wrong),
      ...recordings
        .filter(({ state, file_id }) => state !== 'finished' || file_id === null)
        .map(({ id, state, message }) => lost(`recording ${id} is ${state}: ${message}`)),
      ...recordings
        .map(({ file_id }) => rows.get(file_id ?? 0))
        .filter((row) => row !== undefined && row.state !== 'finished')
        .map((row) => wrong(`the recording in file ${row?.id} is ${row?.state}: ${row?.error}`)),
      ...media.missing.map((key) => lost(`${key} is not in the bucket`)),
      ...media.orphans.map((key) => wrong(`no row names ${key}`)),
      ...media.miscounted.map(wrong),
    ]
    const delivered = entriesOf(journal, 'delivered')
    return {
      findings,
      figures: {
        'uploads acknowledged': entriesOf(journal, 'uploaded').length,
        'changes acknowledged': entriesOf(journal, 'changed').length,
        'deletions acknowledged': entriesOf(journal, 'deleted').length,
        'events / deliveries': `${events.rows.length} / ${delivered.length}`,
        recordings: recordings.length,
        'interruptions of viewers': entriesOf(journal, 'interrupted').length,
      },
    }
  } finally {
    bucket.close()
    await database.close()
  }
}
