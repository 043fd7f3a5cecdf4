import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { AudioFrame, MediaMessage, VideoFrame } from '@zoetrope/rtmp'
import { pino } from 'pino'
import { afterAll } from 'vitest'
import { openLiveStream, type LiveStreamRow } from '../../../../control/store/live-stream-store.ts'
import { startTestServer, type TestServer } from '../../../../../../test/support/test-server.ts'
import type { Admissions } from '../../admission/admit-publisher.ts'
import type { LivePublisher } from '../../../channel/live-publisher.ts'
import type { Broadcast } from '../../../broadcast/broadcast.ts'
import { readStream, type OwnedStream } from '../../../cluster/owned-stream.ts'
import { createSources, type Sources } from '../../create-sources.ts'

export interface Taken {
  readonly projectId: number
  readonly publisher: LivePublisher
  readonly messages: MediaMessage[]
  readonly ended: LivePublisher['ended']
}

export interface SourceStream {
  readonly projectId: number
  readonly playoutId: string
  readonly passphrase: string
  readonly logLines: () => Promise<readonly { readonly code: string; readonly message: string }[]>
  readonly change: (
    change: Partial<Pick<LiveStreamRow, 'is_enabled' | 'kind' | 'sealed_source_uri'>>,
  ) => Promise<void>
  /** Writes the row of a broadcast that began with the present type. Returns a function that ends it. */
  readonly beginBroadcast: () => Promise<() => Promise<void>>
}

export interface SourceWorld {
  readonly server: TestServer
  readonly sources: Sources
  readonly taken: Taken[]
  /** Projects whose publishers are refused because the node is full. */
  readonly refused: Set<number>
  readonly newStream: (kind: LiveStreamRow['kind'], uri?: string) => Promise<SourceStream>
  readonly startOther: () => Promise<Sources>
}

const openWorld = new Set(['127.0.0.1/32', '::1/128'])

export const startSourceWorld = async (
  allowCidrs: readonly string[] = [...openWorld],
): Promise<SourceWorld> => {
  const server = await startTestServer()
  const { database, secrets } = server.services
  const workFolder = await mkdtemp(join(tmpdir(), 'sources-'))
  const taken: Taken[] = []
  const present = new Set<number>()
  const refused = new Set<number>()

  const broadcastFor = (
    projectId: number,
    stream: OwnedStream,
  ): Pick<Broadcast, 'take' | 'cancelAdmission' | 'cut' | 'stream'> => ({
    stream,
    take: async (publisher) => {
      const messages: MediaMessage[] = []
      taken.push({ projectId, publisher, messages, ended: publisher.ended })
      for await (const message of publisher.messages) messages.push(message)
      await publisher.ended
      present.delete(projectId)
    },
    cancelAdmission: () => void present.delete(projectId),
    cut: (reason) => taken.findLast((one) => one.projectId === projectId)?.publisher.close(reason.text),
  })
  const admissions: Pick<Admissions, 'toProject'> = {
    toProject: async (projectId) => {
      if (refused.has(projectId)) return { refuse: 'This server is full.', code: 'node_full' }
      if (present.has(projectId)) return { refuse: 'Another publisher is already sending.' }
      present.add(projectId)
      const stream = (await readStream(database.kysely, projectId))!
      return { broadcast: broadcastFor(projectId, stream) as Broadcast }
    },
  }
  const all: Sources[] = []
  const start = async (nodeId: string, srtPort: { host: string; port: number } | null): Promise<Sources> => {
    const sources = await createSources({
      database,
      secrets,
      nodeId,
      admissions,
      outbound: { allowCidrs, isHttpAllowed: true },
      srt: srtPort === null ? null : { ...srtPort, connectionsPerAddress: 3 },
      maxStreams: 10,
      maxStreamsPerAccount: 0,
      liveProjectIds: () => [...present],
      workFolder,
      log: pino({ enabled: false }),
    })
    all.push(sources)
    return sources
  }
  const sources = await start('00000000-0000-4000-8000-000000000001', { host: '127.0.0.1', port: 0 })
  afterAll(async () => {
    await Promise.all(all.map((one) => one.stop()))
    await server.stop()
    await rm(workFolder, { recursive: true })
  })

  return {
    server,
    sources,
    taken,
    refused,
    startOther: () => start('00000000-0000-4000-8000-000000000002', null),
    newStream: async (kind, uri) => {
      const account = await database.kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
      const project = await database.kysely
        .insertInto('projects')
        .values({ account_id: account.id, name: 'Live' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const made = await openLiveStream(database.kysely, secrets, {
        accountId: account.id,
        projectId: project.id,
      })
      const change: SourceStream['change'] = async (to) => {
        await database.kysely
          .updateTable('live_streams')
          .set(to)
          .where('project_id', '=', project.id)
          .execute()
      }
      await database.kysely
        .updateTable('live_streams')
        .set({ kind })
        .where('project_id', '=', project.id)
        .execute()
      if (uri !== undefined) await change({ sealed_source_uri: secrets.liveNodes.seal(Buffer.from(uri)) })
      return {
        projectId: project.id,
        playoutId: made.playout_id,
        passphrase: secrets.liveNodes.open(made.sealed_srt_passphrase).toString(),
        change,
        beginBroadcast: async () => {
          const stream = database.kysely.updateTable('live_streams').where('project_id', '=', project.id)
          const { id } = await database.kysely
            .insertInto('live_broadcasts')
            .columns(['account_id', 'project_id', 'kind'])
            .expression((from) =>
              from
                .selectFrom('live_streams')
                .select(['account_id', 'project_id', 'kind'])
                .where('project_id', '=', project.id),
            )
            .returning('id')
            .executeTakeFirstOrThrow()
          await stream.set({ broadcast_id: id }).execute()
          return async () => {
            await stream.set({ broadcast_id: null }).execute()
          }
        },
        logLines: () =>
          database.kysely
            .selectFrom('live_log')
            .select(['code', 'message'])
            .where('project_id', '=', project.id)
            .orderBy('id')
            .execute(),
      }
    },
  }
}

export const videoFrames = (messages: readonly MediaMessage[]) =>
  messages.filter((message): message is VideoFrame => message.type === 'video-frame')
export const audioFrames = (messages: readonly MediaMessage[]) =>
  messages.filter((message): message is AudioFrame => message.type === 'audio-frame')

const running = new Set<ChildProcess>()
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
})

export const startFfmpeg = (...args: string[]) => {
  const child = spawn('ffmpeg', ['-nostdin', '-v', 'error', ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  running.add(child)
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text
  })
  const exited = once(child, 'close').then(() => complaints)
  return { kill: () => void child.kill('SIGKILL'), exited }
}

/** Arguments for a test picture with sound and timestamps from 0, encoded as fast as possible. */
export const testMedia = (seconds: number, ...options: string[]): string[] => [
  ...options,
  ...['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${seconds}`],
  ...options,
  ...['-f', 'lavfi', '-i', `sine=r=48000:d=${seconds}`],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-bf', '2', '-pix_fmt', 'yuv420p'],
]

/** Query of an SRT address: on a busy machine, a handshake takes longer than the usual three seconds. */
export const patientCaller = 'mode=caller&connect_timeout=20000'

/** Follows `testMedia`: encodes the picture in HEVC. */
export const hevcArguments: readonly string[] = [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error:keyint=25:bframes=2'],
]
