import type { Updateable } from 'kysely'
import { afterAll } from 'vitest'
import type { LiveStreamsTable } from '../../../platform/db/tables/live.ts'
import { startLive } from '../../../app/roles/live.ts'
import { openLiveStream, type LiveStreamRow } from '../../control/store/live-stream-store.ts'
import type { LiveNode } from '../live-node.ts'
import { findFreePort } from '../../../../test/support/free-port.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'

export interface LiveEvent {
  readonly name: string
  readonly sequence: number
  // Tests look into records of many shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly record: any
}

type StreamChange = Updateable<LiveStreamsTable>

export interface TestStream {
  readonly projectId: number
  readonly playoutId: string
  readonly streamKey: string
  readonly row: () => Promise<LiveStreamRow>
  /** Changes the row as the API would, and increments its version. */
  readonly change: (change: StreamChange) => Promise<void>
  readonly events: () => Promise<LiveEvent[]>
  /** Waits until the newest event has this name, and returns the names of all events. */
  readonly until: (name: string) => Promise<string[]>
  readonly logCodes: () => Promise<string[]>
}

export interface LiveWorld {
  readonly server: TestServer
  readonly node: () => LiveNode
  readonly rtmpPort: number
  readonly newStream: (settings?: StreamChange) => Promise<TestStream>
  /** Starts another node on the same data folder, as after a restart. */
  readonly startNode: () => Promise<LiveNode>
  readonly stopNode: () => Promise<void>
}

/** Starts the API and a live node in this process. Both stop after the tests of the file. */
export const startLiveWorld = async (environment: Record<string, string> = {}): Promise<LiveWorld> => {
  const rtmpPort = await findFreePort()
  const server = await startTestServer({
    environment: { ZOETROPE_RTMP_PORT: String(rtmpPort), ...environment },
  })
  const { kysely } = server.services.database
  const account = await kysely.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  let running: Awaited<ReturnType<typeof startLive>> | null = null
  const services = await server.servicesOf('live')
  const startNode = async (): Promise<LiveNode> => {
    running = await startLive(services)
    return running.node
  }
  const stopNode = async (): Promise<void> => {
    await running?.stop(4_000)
    running = null
  }
  await startNode()
  afterAll(async () => {
    await stopNode()
    await server.stop()
  })

  const newStream: LiveWorld['newStream'] = async (settings = {}) => {
    const project = await kysely
      .insertInto('projects')
      .values({ account_id: account.id, name: 'Live' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const owner = { accountId: account.id, projectId: project.id }
    const made = await openLiveStream(kysely, server.services.secrets, owner)
    const change = async (to: StreamChange): Promise<void> => {
      await kysely
        .updateTable('live_streams')
        .set((set) => ({ ...to, version: set('version', '+', 1) }))
        .where('project_id', '=', project.id)
        .execute()
    }
    await change(settings)
    const events = async (): Promise<LiveEvent[]> => {
      const rows = await kysely
        .selectFrom('events')
        .select(['name', 'sequence', 'record'])
        .where('project_id', '=', project.id)
        .where('subject', '=', 'Live')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ ...row, record: JSON.parse(row.record) as unknown }))
    }
    return {
      projectId: project.id,
      playoutId: made.playout_id,
      streamKey: server.services.secrets.open(made.sealed_stream_key).toString(),
      row: () =>
        kysely
          .selectFrom('live_streams')
          .selectAll()
          .where('project_id', '=', project.id)
          .executeTakeFirstOrThrow(),
      change,
      events,
      until: async (name) =>
        (await waitFor(events, (all) => all.at(-1)?.name === name)).map((event) => event.name),
      logCodes: async () => {
        const rows = await kysely
          .selectFrom('live_log')
          .select('code')
          .where('project_id', '=', project.id)
          .orderBy('id')
          .execute()
        return rows.map(({ code }) => code)
      },
    }
  }

  return {
    server,
    node: () => {
      if (running === null) throw new Error('the node does not run')
      return running.node
    },
    rtmpPort,
    newStream,
    startNode,
    stopNode,
  }
}
