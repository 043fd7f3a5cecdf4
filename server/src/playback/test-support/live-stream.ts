import type { Updateable } from 'kysely'
import type { LiveStreamsTable } from '../../platform/db/tables/live.ts'
import type { TestServer } from '../../../test/support/test-server.ts'

export interface TestLiveStream {
  readonly projectId: number
  readonly playoutId: string
  readonly write: (row: Updateable<LiveStreamsTable>) => Promise<unknown>
}

export const makeLiveStream = async (server: TestServer, project: object = {}): Promise<TestLiveStream> => {
  const { kysely } = server.services.database
  const created = await server.call('POST', '/projects', { body: { Name: 'Live', ...project } })
  const projectId = created.body.Id as number
  await server.call('GET', `/projects/${projectId}/live/ingest`)
  const write = (row: Updateable<LiveStreamsTable>) =>
    kysely.updateTable('live_streams').set(row).where('project_id', '=', projectId).execute()
  await write({ title: 'Town hall', release_status: 'published' })
  const { playout_id: playoutId } = await kysely
    .selectFrom('live_streams')
    .select('playout_id')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return { projectId, playoutId, write }
}
