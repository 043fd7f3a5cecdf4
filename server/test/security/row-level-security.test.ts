import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callOperation, listOperations } from '../../src/accounts/identity/test-support/operations.ts'
import { makeRecords, type Ids } from '../../src/accounts/identity/test-support/records.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
let ids: Ids

beforeAll(async () => {
  server = await startTestServer()
  ids = await makeRecords(server)
})

afterAll(() => server.stop())

/** These reads serve many accounts in one query and bypass row-level security (decision 0010). */
const hotReads = ['getFile', 'listAllFiles', 'listFiles']
/**
 * These operations return 200 without rows: the taxonomy is the same for all accounts, an event stream waits,
 * an unconnected provider is a valid state, and a chart without views shows zeros.
 */
const answersWithoutRows = [
  'getAnalytics',
  'getAnalyticsBreakdown',
  'getPartners',
  'getRealtimeAnalytics',
  'listIabCategories',
  'streamEvents',
]

/**
 * Makes the policies hide all rows from every account. An operation that still returns data bypasses
 * row-level security.
 */
const letNobodySeeAnything = async (): Promise<void> => {
  await sql`
    do $$
    declare
      policy record;
    begin
      for policy in select polrelid::regclass as name from pg_policy where polname = 'of_one_account' loop
        execute format('alter policy of_one_account on %s using (false)', policy.name);
      end loop;
    end $$`.execute(server.services.database.kysely)
}

test('row-level security limits every operation except the hot reads: policies that hide all rows empty the API', async () => {
  await letNobodySeeAnything()
  const seeing: string[] = []
  for (const operation of await listOperations(server)) {
    const { status, headers, body } = await callOperation(server, operation, { ids, apiKey: server.apiKey })
    const isEmptyStream =
      headers.get('content-type')?.startsWith('application/x-ndjson') === true && body === ''
    // Empty lists, sums of zero, and rules without matches.
    const isNothing =
      isEmptyStream || body.TotalCount === 0 || body.FileCount === 0 || body.Elements?.length === 0
    if (status < 400 && !isNothing) seeing.push(operation.id)
  }
  expect(seeing.sort()).toEqual([...hotReads, ...answersWithoutRows].sort())
})
