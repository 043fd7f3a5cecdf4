import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHands } from '../../../../test/support/hands.ts'
import { makeSample } from '../../../../test/support/media.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { lockMediaFile } from '../../../library/files/record/media-file-store.ts'
import type { Tx } from '../../../platform/db/database.ts'
import { lockProject } from '../../../library/projects/project-locks.ts'
import { createProcessFileHandler } from './process-file-handler.ts'
import { holdBlobs } from '../test-support/hold-blobs.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  sample = await makeSample({ seconds: 8, videoCodec: 'mpeg4' })
})

afterAll(() => server.stop())

interface Key {
  readonly accountId: number
  readonly projectId: number
  readonly fileId: number
}

const waitsForLock = () =>
  waitFor(
    () =>
      server.services.database.sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    ([row]) => (row?.count ?? 0) > 0,
  )

const touchRenditions = async (tx: Tx, { fileId }: Key): Promise<void> => {
  await tx
    .updateTable('renditions')
    .set((set) => ({ generation: set.ref('generation') }))
    .where('file_id', '=', fileId)
    .execute()
}

const addPicture = async (tx: Tx, { accountId, fileId }: Key): Promise<void> => {
  await tx
    .insertInto('file_pictures')
    .values({
      account_id: accountId,
      file_id: fileId,
      width_pixels: 16,
      height_pixels: 9,
      is_standard: true,
      manual_upload: true,
      picture_blob: 'by hand',
      thumb_blob: 'by hand',
    })
    .execute()
}

/**
 * The worker blocks before the blob. Then another transaction takes the lock that the worker needs next and
 * proceeds to the rows.
 */
test.each<[string, RegExp, (tx: Tx, key: Key) => Promise<unknown>, (tx: Tx, key: Key) => Promise<void>]>([
  [
    'a rendition is completed',
    /\/1\.m4s$/,
    (tx, { accountId, projectId }) => lockProject(tx, accountId, projectId),
    touchRenditions,
  ],
  ['a rendition begins to grow', /\/0\.m4s$/, (tx, key) => lockMediaFile(tx, key), touchRenditions],
  [
    'a poster is listed',
    /thumb\.jpg$/,
    (tx, { accountId, projectId }) => lockProject(tx, accountId, projectId),
    addPicture,
  ],
])(
  'does not deadlock when %s while another transaction changes the file',
  async (_when, blob, lock, write) => {
    const ids = await hands.upload(await hands.newProject(), sample)
    const job = await hands.jobOf(ids)
    const { blobs, reached, release } = holdBlobs(server.services.blobs, blob)
    const run = createProcessFileHandler({ ...hands.dependencies, blobs })(
      job,
      new AbortController().signal,
      {
        number: 1,
        isLast: false,
      },
    )
    await reached
    await server.services.database.transaction(async (tx) => {
      await lock(tx, job)
      release()
      await waitsForLock()
      await write(tx, job)
    })
    await run
    expect(await hands.get(ids)).toMatchObject({ IsPlayable: true, HasErrors: false })
  },
)
