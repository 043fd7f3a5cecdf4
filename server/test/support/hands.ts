import { createCutClipHandler } from '../../src/ingest/encoding/handlers/cut-clip-handler.ts'
import { createEncodeLadderHandler } from '../../src/ingest/encoding/handlers/encode-ladder-handler.ts'
import { createGiveUpFileHandler } from '../../src/ingest/encoding/handlers/give-up-file-handler.ts'
import { createMakeStoryboardHandler } from '../../src/ingest/encoding/handlers/make-storyboard-handler.ts'
import { createProcessFileHandler } from '../../src/ingest/encoding/handlers/process-file-handler.ts'
import { createInFlightUploads } from '../../src/library/files/media/in-flight-uploads.ts'
import { latestRevision } from '../../src/library/files/change/file-revisions.ts'
import type { ClipFileJob, FileJob } from '../../src/library/files/queue/file-jobs.ts'
import { createProjectFilesHandler } from '../../src/library/files/jobs/project-files-handler.ts'
import { createPurgeFilesHandler } from '../../src/library/files/jobs/purge-file-handler.ts'
import { createMovePlaylists } from '../../src/library/playlists/move-playlists.ts'
import { createTouchPlaylists } from '../../src/library/playlists/touch-playlists.ts'
import { uploadHousekeeping } from '../../src/ingest/uploads/cleanup/housekeeping.ts'
import { fileHousekeeping } from '../../src/library/files/housekeeping.ts'
import { projectHousekeeping } from '../../src/library/projects/housekeeping.ts'
import { keepHouse } from '../../src/platform/jobs/housekeeping.ts'
import { makeSample } from './media.ts'
import { request, type TestServer } from './test-server.ts'

const never = new AbortController().signal
const firstTry = { number: 1, isLast: false }

interface FileIds {
  readonly projectId: number
  readonly fileId: number
}

/**
 * Runs the jobs of the worker step by step on a server without a worker. A test sees each intermediate state
 * and can stop, repeat or break the next step.
 */
export const createHands = (server: TestServer) => {
  const { services } = server
  const { blobs, jobs, log, stagings } = services
  const database = server.workerDatabase
  const retentionDays = 7
  const dependencies = {
    database,
    blobs,
    jobs,
    log,
    publicUrl: server.url,
    workFolder: `${server.dataFolder}/work`,
    inFlightUploads: createInFlightUploads(database, stagings.disk.path),
    maxDurationSeconds: 60,
    retentionDays,
    uploadExpiryMs: 24 * 3_600_000,
    touchPlaylists: createTouchPlaylists(server.url),
    movePlaylists: createMovePlaylists(server.url),
  }

  const rowOf = (fileId: number) =>
    database.kysely.selectFrom('media_files').selectAll().where('id', '=', fileId).executeTakeFirstOrThrow()

  const jobOf = async ({ projectId, fileId }: FileIds): Promise<Required<FileJob>> => {
    const file = await rowOf(fileId)
    return { accountId: file.account_id, projectId, fileId, generation: latestRevision(file) }
  }

  const hands = {
    rowOf,
    jobOf,
    dependencies,
    processJob: (job: FileJob, signal = never, attempt = firstTry) =>
      createProcessFileHandler(dependencies)(job, signal, attempt),
    ladderJob: (job: FileJob, signal = never, attempt = firstTry) =>
      createEncodeLadderHandler(dependencies)(job, signal, attempt),
    process: async (ids: FileIds, attempt = firstTry) => hands.processJob(await jobOf(ids), never, attempt),
    ladder: async (ids: FileIds) => hands.ladderJob(await jobOf(ids)),
    finish: async (ids: FileIds) => {
      await hands.process(ids)
      await hands.ladder(ids)
    },
    storyboardJob: (job: FileJob) => createMakeStoryboardHandler(dependencies)(job, never),
    storyboard: async (ids: FileIds) => hands.storyboardJob(await jobOf(ids)),
    /** Cuts the clip with its current attempt number. */
    clip: async (ids: FileIds, changed: Partial<typeof dependencies> = {}) => {
      const { attempt } = await database.kysely
        .selectFrom('clips')
        .select('attempt')
        .where('file_id', '=', ids.fileId)
        .executeTakeFirstOrThrow()
      const job = { ...(await jobOf(ids)), attempt }
      await createCutClipHandler({ ...dependencies, ...changed })(job, never, firstTry)
      return job
    },
    clipJob: (job: ClipFileJob, signal = never) => createCutClipHandler(dependencies)(job, signal, firstTry),
    giveUp: async (ids: FileIds) => createGiveUpFileHandler(dependencies)(await jobOf(ids)),
    purge: async (ids: FileIds, deletedAt?: Date) => {
      const file = await rowOf(ids.fileId)
      await createPurgeFilesHandler(dependencies)([
        {
          accountId: file.account_id,
          ...ids,
          deletedAtMs: (deletedAt ?? file.deleted_at ?? new Date(0)).getTime(),
        },
      ])
    },
    projectFiles: async (projectId: number, signal = never) => {
      const { account_id: accountId } = await database.kysely
        .selectFrom('projects')
        .select('account_id')
        .where('id', '=', projectId)
        .executeTakeFirstOrThrow()
      await createProjectFilesHandler(dependencies)({ accountId, projectId, changedAtMs: Date.now() }, signal)
    },
    housekeeping: () =>
      keepHouse([
        ...uploadHousekeeping({ ...dependencies, stagings }),
        ...fileHousekeeping(dependencies),
        ...projectHousekeeping({ ...dependencies, mails: server.services.mails }),
      ]),
    get: async ({ projectId, fileId }: FileIds) =>
      (await server.call('GET', `/projects/${projectId}/files/${fileId}`)).body,
    eventsOf: async (fileId: number) =>
      (
        await database.kysely
          .selectFrom('events')
          .select('name')
          .where('file_id', '=', fileId)
          .orderBy('sequence')
          .execute()
      ).map(({ name }) => name),
    upload: async (projectId: number, bytes: Buffer, body: object = {}): Promise<FileIds> => {
      const created = await server.call('POST', `/projects/${projectId}/files`, {
        body: { FileName: 'clip.mp4', Metadata: { ReleaseStatus: 'published' }, ...body },
      })
      const answer = await request(created.body.Upload.URI, 'PUT', { body: bytes })
      if (answer.status !== 200) throw new Error(`upload answered ${answer.status}`)
      return { projectId, fileId: created.body.Id }
    },
    /** Without a worker, a test encodes the ladder by `ladder`, unless it sets LadderMode. */
    newProject: async ({
      EncoderSettings = {},
      ...body
    }: { readonly EncoderSettings?: object; readonly [field: string]: unknown } = {}): Promise<number> =>
      (
        await server.call('POST', '/projects', {
          body: { Name: 'Project', EncoderSettings: { LadderMode: 'eager', ...EncoderSettings }, ...body },
        })
      ).body.Id,
    /** Plays as passthrough and has a ladder of one rung. */
    sample: () => makeSample({ seconds: 2, size: '854x480' }),
    /** Needs no ladder and has a different duration. */
    smallSample: () => makeSample({ seconds: 3, size: '320x180' }),
  }
  return hands
}
