import type { EventName } from '@zoetrope/vocabulary'
import { generateSecret } from '@zoetrope/webhook-signature'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../../test/support/test-database.ts'
import type { Database } from '../../../platform/db/database.ts'
import { emit } from '../../../platform/outbox/outbox.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createGuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { createSecrets, type Sealer } from '../../../platform/base/secrets.ts'
import {
  startDeliveryEngine,
  type DeliveryEngine,
  type DeliveryEngineOptions,
} from '../engine/delivery-engine.ts'
import { insertWebhook, type WebhookChange } from '../store/webhook-store.ts'

export const testMasterKey = Buffer.alloc(32, 7)

export interface WebhookWorld {
  readonly database: Database
  readonly connection: Database['connection']
  readonly secrets: Sealer<'workers'>
  readonly accountId: number
  readonly projectId: number
  readonly addWebhook: (targetUrl: string, change?: WebhookChange) => Promise<{ id: number; secret: string }>
  /** Writes an event as a business transaction does, and returns its id. */
  readonly emitEvent: (fileId: number | null, name?: EventName, projectId?: number) => Promise<number>
  readonly startEngine: (options?: Partial<DeliveryEngineOptions>) => Promise<DeliveryEngine>
  readonly deliveries: () => Promise<{ id: number; state: string; attemptCount: number }[]>
  readonly close: () => Promise<void>
}

export const createWebhookWorld = async (): Promise<WebhookWorld> => {
  const { database, connection, drop } = await createTestDatabase()
  const secrets = createSecrets(testMasterKey).workers
  const account = await database.kysely
    .insertInto('accounts')
    .values({ name: 'Test' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = await database.kysely
    .insertInto('projects')
    .values({ account_id: account.id, name: 'Project' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const closers: (() => Promise<unknown>)[] = []
  let sequence = 0
  return {
    database,
    connection,
    secrets,
    accountId: account.id,
    projectId: project.id,
    addWebhook: async (targetUrl, change = {}) => {
      const secret = generateSecret()
      const { id } = await insertWebhook(database.kysely, account.id, {
        target_url: targetUrl,
        event_types: ['*'],
        sealed_secret: secrets.seal(Buffer.from(secret)),
        secret_last_four: secret.slice(-4),
        ...change,
      })
      return { id, secret }
    },
    emitEvent: (fileId, name = 'file.updated', projectId = project.id) =>
      database.transaction(async (tx) => {
        // Stands in for the row lock of the file, under which events with later ids commit later.
        await sql`select pg_advisory_xact_lock(${fileId ?? 0})`.execute(tx)
        return emit(tx, {
          accountId: account.id,
          projectId,
          fileId,
          name,
          sequence: (sequence += 1),
          subject: name.startsWith('live.') ? 'Live' : 'File',
          record: JSON.stringify({ Id: fileId, Name: 'clip – ü.mp4' }),
        })
      }),
    startEngine: async (options = {}) => {
      const agent = createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true })
      const engine = await startDeliveryEngine({
        database,
        secrets,
        agent,
        log: createLog({ level: 'silent' }),
        publicUrl: 'https://video.example.com',
        ...options,
      })
      closers.push(() => engine.stop({ graceMs: 0 }), agent.close)
      return engine
    },
    deliveries: async () =>
      database.kysely
        .selectFrom('deliveries')
        .select(['id', 'state', 'attempt_count as attemptCount'])
        .orderBy('id')
        .execute(),
    close: async () => {
      for (const close of closers) await close()
      await drop()
    },
  }
}
