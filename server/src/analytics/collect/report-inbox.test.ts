import { connect, createServer } from 'node:net'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts'
import { openDatabase } from '../../platform/db/database.ts'
import type { Report } from '../sessions/report.ts'
import { createReportInbox } from './report-inbox.ts'
import type { Subject } from './subjects.ts'

let world: TestDatabase
let folder: string
beforeAll(async () => {
  world = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-inbox-'))
})
afterAll(async () => {
  await world.drop()
  await rm(folder, { recursive: true, force: true })
})

/** A server in front of PostgreSQL that can lose the answers to statements that have been committed. */
const startForgetfulServer = async (socketFolder: string) => {
  let answersToLose = 0
  const proxy = createServer((client) => {
    const inside = connect(join(socketFolder, '.s.PGSQL.5432'))
    const end = (): void => {
      client.destroy()
      inside.destroy()
    }
    client.pipe(inside)
    inside.on('data', (chunk: Buffer) => {
      if (answersToLose > 0 && chunk.includes('COMMIT\0')) {
        answersToLose -= 1
        end()
      } else client.write(chunk)
    })
    for (const socket of [client, inside]) socket.on('error', end).on('close', end)
  }).listen(join(folder, '.s.PGSQL.5432'))
  await once(proxy, 'listening')
  return {
    loseAnswers: (count: number): void => {
      answersToLose = count
    },
    close: (): void => void proxy.close(),
  }
}

const subject: Subject = {
  ...{
    accountId: 1,
    projectId: 2,
    fileId: null,
    lengthMs: null,
    sourceAtMs: null,
    isLive: true,
    customNames: [],
    renditions: [],
  },
}
const report = (sessionId: string): Report => ({
  ...{ playoutId: crypto.randomUUID(), sessionId, arrivedAtMs: Date.now(), kind: 'viewer', viewer: '0' },
  ...{ lengthMs: null, dimensions: {}, lines: [], loads: [{ isVideo: true, mediaMs: 4_000 }] },
})

test('stores each report once when the connection is lost after the commit, and drops what the database refuses', async () => {
  if ('url' in world.connection) throw new Error('tests have a database on a socket')
  const between = await startForgetfulServer(world.connection.host)
  const database = openDatabase({ ...world.connection, host: folder }, { maxConnections: 1 })
  const failures: unknown[] = []
  const inbox = createReportInbox({
    database,
    findSubject: async () => subject,
    log: { warn: (fields: unknown) => void failures.push(fields) } as never,
  })
  const stored = async () => {
    const rows = await world.database.kysely
      .selectFrom('view_reports')
      .select('report')
      .orderBy('id')
      .execute()
    return rows.map(({ report: one }) => {
      const { report: kept, bytes } = one as { report?: Report; bytes?: number }
      return kept?.sessionId ?? bytes
    })
  }
  try {
    inbox.add(subject, report('first'))
    inbox.addBytes({ playoutId: crypto.randomUUID(), country: 'DE' }, 1_000)
    between.loseAnswers(2)
    await inbox.store()
    expect(failures).toHaveLength(1)
    expect(await stored()).toEqual(['first', 1_000])
    // These arrive before the answer is known, and belong to the next batch.
    inbox.add(subject, report('second'))
    inbox.addBytes({ playoutId: crypto.randomUUID(), country: 'DE' }, 7)
    await inbox.store()
    expect(failures).toHaveLength(2)
    await inbox.store()
    expect(failures).toHaveLength(2)
    expect(await stored()).toEqual(['first', 1_000, 'second', 7])
    inbox.add(subject, report('third'))
    await inbox.store()
    expect(await stored()).toEqual(['first', 1_000, 'second', 7, 'third'])
    // Half a surrogate pair: the database refuses it every time.
    inbox.add(subject, { ...report('refused'), dimensions: { site: '\ud83d' } })
    inbox.addBytes({ playoutId: crypto.randomUUID(), country: 'DE' }, 8)
    await inbox.store()
    inbox.add(subject, report('fourth'))
    await inbox.stop()
    expect(await stored()).toEqual(['first', 1_000, 'second', 7, 'third', 8, 'fourth'])
  } finally {
    await database.close()
    between.close()
  }
})
