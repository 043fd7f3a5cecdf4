import { afterAll, beforeAll, expect, test } from 'vitest'
import { operate } from '../../../../test/support/operator.ts'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { waitFor } from '../../../../test/support/wait-for.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'
import { callOperation, inOrder, listOperations, stateAnswers } from '../test-support/operations.ts'
import { makeRecords, type Ids } from '../test-support/records.ts'

let server: TestServer
let accounts: readonly { readonly apiKey: string; readonly ids: Ids }[]
let created: { Id: number; Name: string; Email: string; Password: string; ApiKey: string }

const run = (...words: readonly string[]) =>
  operate(
    {
      ZOETROPE_DATA: server.dataFolder,
      ZOETROPE_EMBEDDED_CONNECTION: JSON.stringify(server.services.database.connection),
    },
    'accounts',
    ...words,
  )

beforeAll(async () => {
  server = await startTestServer()
  const { code, stdout } = await run('create', 'Second company', '--email', 'second@example.com', '--json')
  expect(code).toBe(0)
  created = JSON.parse(stdout)
  accounts = [
    { apiKey: server.apiKey, ids: await makeRecords(server) },
    { apiKey: created.ApiKey, ids: await makeRecords(server, created.ApiKey) },
  ]
})

afterAll(() => server.stop())

test('accounts create adds an administrator who signs in with the printed password', async () => {
  const signedIn = await server.call('POST', '/session', {
    apiKey: null,
    body: { Email: created.Email, Password: created.Password },
  })
  expect(signedIn).toMatchObject({
    status: 201,
    body: { User: { Email: created.Email, Role: 'Administrator' } },
  })
})

test('accounts list shows every account with its contents', async () => {
  const { code, stdout } = await run('list', '--json')
  expect(code).toBe(0)
  expect(JSON.parse(stdout).Accounts).toMatchObject([
    { Id: 1, Name: 'My company', IsEnabled: true, DisabledAt: null },
    { Id: created.Id, Name: 'Second company', IsEnabled: true, ProjectCount: 1, UserCount: 2 },
  ])
  expect((await run('list')).stdout).toMatch(/^ID +NAME +STATE[^]*Second company +enabled/)
})

test('interleaved reads of two accounts return only records of their own account', async () => {
  const reads = Array.from({ length: 120 }, async (_, index) => {
    const [reader, owner] = [accounts[index % 2]!, accounts[Math.floor(index / 2) % 2]!]
    const files = `/projects/${owner.ids.projectId}/files`
    const path = index % 3 === 0 ? files : `${files}/${owner.ids.fileId}`
    const { status, body } = await server.call('GET', path, { apiKey: reader.apiKey })
    const isOwn = reader === owner
    expect(status).toBe(isOwn ? 200 : 404)
    if (!isOwn) return
    const ids = index % 3 === 0 ? body.Files.map(({ Id }: { Id: number }) => Id) : [body.Id]
    expect(ids).toContain(owner.ids.fileId)
  })
  await Promise.all(reads)
})

test('every operation works for two accounts on their own records, and finds none of the other account', async () => {
  const operations = (await listOperations(server)).sort(inOrder)
  expect(operations.length).toBeGreaterThan(100)
  for (const operation of operations)
    for (const [index, { apiKey, ids }] of accounts.entries()) {
      const other = accounts[1 - index]
      if (other === undefined) throw new Error('There are two accounts.')
      if (operation.parameters.length > 0) {
        const foreign = await callOperation(server, operation, { ids: other.ids, apiKey })
        expectProblem(foreign, 'not_found')
      }
      const { status, body } = await callOperation(server, operation, { ids, apiKey })
      expect({
        operation: operation.id,
        status: [200, 201].includes(status) ? 'success' : status,
        body,
      }).toEqual({
        operation: operation.id,
        status: stateAnswers[operation.id] ?? 'success',
        body: expect.anything(),
      })
    }
})

test.each([
  ['no verb', []],
  ['an unknown verb', ['close', '1']],
  ['no name', ['create']],
  ['no address', ['create', 'Third']],
  ['a wrong address', ['create', 'Third', '--email', 'third']],
  ['an address in use', ['create', 'Third', '--email', 'SECOND@example.com']],
  ['an empty name', ['create', ' ', '--email', 'third@example.com']],
  ['too many arguments', ['create', 'Third', 'company', '--email', 'third@example.com']],
  ['an unknown account', ['disable', '999999']],
  ['an id that is not a number', ['disable', 'first']],
])('accounts with %s exits with 2 and a sentence', async (_what, words) => {
  const { code, stdout, stderr } = await run(...words)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^[A-Zat][^\n]{10,}[.\n]/)
  expect(stderr).not.toMatch(/\n +at /)
  expect(JSON.parse((await run('list', '--json')).stdout).Accounts).toHaveLength(2)
})

test('a disabled account is locked out within two seconds, and regains access when it is enabled', async () => {
  const status = async (apiKey: string) => (await server.call('GET', '/projects', { apiKey })).status
  const signIn = () =>
    server.call('POST', '/session', {
      apiKey: null,
      body: { Email: created.Email, Password: created.Password },
    })
  const { headers } = await signIn()
  const cookie = headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const viaCookie = async () =>
    (await server.call('GET', '/projects', { apiKey: null, headers: { Cookie: cookie } })).status
  expect(await viaCookie()).toBe(200)

  expect((await run('disable', String(created.Id))).code).toBe(0)
  await waitFor(
    () => status(created.ApiKey),
    (found) => found === 401,
  )
  await waitFor(viaCookie, (found) => found === 401)
  expect((await signIn()).status).toBe(401)
  expect(await status(server.apiKey)).toBe(200)

  expect((await run('enable', String(created.Id))).code).toBe(0)
  await waitFor(
    () => status(created.ApiKey),
    (found) => found === 200,
  )
  expect((await signIn()).status).toBe(201)
  const { body } = await server.call('GET', '/audit?action=account.*', { apiKey: created.ApiKey })
  expect(body.AuditEntries.map(({ Action }: { Action: string }) => Action)).toEqual([
    'account.enabled',
    'account.disabled',
    'account.created',
  ])
})
