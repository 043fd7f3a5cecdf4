import type { EventName, RecordField } from '@zoetrope/vocabulary'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { emit } from '../../../platform/outbox/outbox.ts'

export interface EmitOptions {
  readonly name?: EventName
  readonly subject?: RecordField
  readonly projectId?: number | null
  readonly fileId?: number | null
  readonly record?: object
}

export interface EventWorld {
  readonly server: TestServer
  readonly projectId: number
  readonly emitIn: (tx: Tx, options?: EmitOptions) => Promise<number>
  readonly emitEvent: (options?: EmitOptions) => Promise<number>
  readonly begin: () => Promise<{ tx: Tx; commit: () => Promise<void>; rollback: () => Promise<void> }>
}

const accountOf = async (kysely: Queryable): Promise<number> => {
  const { id } = await kysely
    .selectFrom('accounts')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  return id
}

export const createEventWorld = async (
  options: { readonly withWorker?: boolean } = {},
): Promise<EventWorld> => {
  const server = await startTestServer({ ...options, hasMadeUpRecords: true })
  const { database } = server.services
  const accountId = await accountOf(database.kysely)
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Newsroom' } })
  const projectId = body.Id as number

  const emitIn: EventWorld['emitIn'] = (tx, event = {}) =>
    emit(tx, {
      accountId,
      projectId: event.projectId === undefined ? projectId : event.projectId,
      fileId: event.fileId ?? null,
      name: event.name ?? 'project.updated',
      sequence: 1,
      subject: event.subject ?? 'Project',
      record: JSON.stringify(event.record ?? { Id: projectId }),
    })

  return {
    server,
    projectId,
    emitIn,
    emitEvent: (event) => database.transaction((tx) => emitIn(tx, event)),
    begin: async () => {
      const ready = Promise.withResolvers<Tx>()
      const end = Promise.withResolvers<'commit' | 'rollback'>()
      const ended = database
        .transaction(async (tx) => {
          ready.resolve(tx)
          if ((await end.promise) === 'rollback') throw new Error('rolled back')
        })
        .catch((error: unknown) => {
          if ((error as Error).message !== 'rolled back') throw error
        })
      const finish = async (how: 'commit' | 'rollback') => {
        end.resolve(how)
        await ended
      }
      return {
        tx: await ready.promise,
        commit: () => finish('commit'),
        rollback: () => finish('rollback'),
      }
    },
  }
}
