import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { createScriptedViewers, type ScriptedViewers } from '../test-support/scripted-viewers.ts'
import { evaluateAlerts } from './evaluate-alerts.ts'

let server: TestServer
let viewers: ScriptedViewers

beforeAll(async () => {
  server = await startTestServer()
  viewers = createScriptedViewers(server)
})
afterAll(() => server.stop())

const path = '/analytics/alerts'
const rule = { Metric: 'rebuffering', Operator: 'above', Threshold: 0.01, WindowMinutes: 5 }

const create = async (fields: object): Promise<Answer['body']> => {
  const { status, body } = await server.call('POST', path, { body: { ...rule, ...fields } })
  expect(status).toBe(201)
  return body
}
const get = (id: number) => viewers.read(`${path}/${id}`)
const viewsOf = (file: { readonly id: number }) => async () =>
  (await viewers.read(`/analytics/views?fileId=${file.id}`)).Total
const eventsOf = async (id: number): Promise<{ Sequence: number; Alert: { Id: number; State: string } }[]> =>
  (await viewers.read('/events?event=analytics.alert&after=0&limit=500')).Events.filter(
    ({ Alert }: { Alert: { Id: number } }) => Alert.Id === id,
  )
const statesOf = async (id: number): Promise<string[]> => (await eventsOf(id)).map(({ Alert }) => Alert.State)

const minuteMs = 60_000
/** Evaluates as the worker does this many minutes after the present one. */
const evaluateAfter = (minutes: number, database = server.workerDatabase): Promise<void> =>
  evaluateAlerts(database, { nowMs: Date.now() + (minutes + 1) * minuteMs + 10_000 })

describe('an alert', () => {
  test('fires once when its condition begins, and is resolved once when it ends', async () => {
    const file = await viewers.newFile()
    const webhook = await server.call('POST', '/modules/notifications', {
      body: { TargetURL: 'zoetrope:inspector', EventTypes: ['analytics.*'], ProjectId: file.projectId },
    })
    const alert = await create({ Label: 'Buffering', ProjectId: file.projectId, MinimumViewers: 1 })
    expect(alert).toMatchObject({ State: 'resolved', Value: null, Viewers: null, IsEnabled: true })
    for (let count = 0; count < 4; count++) await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(4)
    await evaluateAfter(0)
    expect(await statesOf(alert.Id)).toEqual([])
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(5)
    await evaluateAfter(1)
    // One viewer in each of the five minutes, on average; another process evaluates the next minute.
    await evaluateAfter(2, (await server.servicesOf('worker')).database)
    expect(await eventsOf(alert.Id)).toMatchObject([
      {
        ...{ Event: 'analytics.alert', Sequence: 1, ProjectId: file.projectId },
        Alert: { Id: alert.Id, Label: 'Buffering', State: 'firing', Value: 0.5 / 30.5, Viewers: 1 },
      },
    ])
    expect(await get(alert.Id)).toMatchObject({ State: 'firing', Value: 0.5 / 30.5, Viewers: 1 })
    expect((await viewers.read(`${path}?state=firing`)).Alerts).toMatchObject([{ Id: alert.Id }])
    await evaluateAfter(10)
    await evaluateAfter(11)
    expect(await eventsOf(alert.Id)).toMatchObject([
      { Sequence: 1, Alert: { State: 'firing' } },
      { Sequence: 2, Alert: { State: 'resolved', Value: null, Viewers: 0 } },
    ])
    expect(await get(alert.Id)).toMatchObject({ State: 'resolved' })
    const deliveries = `/modules/notifications/${webhook.body.Id}/deliveries`
    expect((await viewers.read(deliveries)).TotalCount).toBe(2)
  })

  test('is evaluated once for each minute by two nodes at a time', async () => {
    const file = await viewers.newFile()
    const { Id } = await create({ ProjectId: file.projectId })
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(1)
    const { database } = await server.servicesOf('worker')
    await Promise.all([
      ...[evaluateAfter(0), evaluateAfter(0, database), evaluateAfter(0), evaluateAfter(0, database)],
    ])
    expect(await statesOf(Id)).toEqual(['firing'])
    // The minute was evaluated: what a late process finds for it changes nothing.
    await server.services.database.kysely
      .deleteFrom('view_minutes')
      .where('project_id', '=', file.projectId)
      .execute()
    await evaluateAfter(0, database)
    expect(await statesOf(Id)).toEqual(['firing'])
  })

  test.each([
    ['above', 0.0, 'startuptime', 500],
    ['above', 0.5, 'views', 1],
    ['above', 29, 'watchtime', 30],
    ['above', 0.5, 'concurrentviewers', 1],
    ['below', 2, 'concurrentviewers', 1],
    ['below', 0.02, 'rebuffering', 0.5 / 30.5],
  ] as const)('fires %s %d of %s', async (Operator, Threshold, Metric, value) => {
    const file = await viewers.newFile()
    const of = { ProjectId: file.projectId, Operator, Threshold, Metric }
    const { Id } = await create({ ...of, MinimumViewers: 0 })
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(1)
    await evaluateAfter(0)
    expect(await get(Id)).toMatchObject({ State: 'firing', Value: value })
  })

  test.each(['failures', 'errors', 'livelatency'])('without measured %s stays resolved', async (Metric) => {
    const file = await viewers.newFile()
    const { Id } = await create({ ProjectId: file.projectId, Metric, Threshold: 0 })
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(1)
    await evaluateAfter(0)
    expect(await get(Id)).toMatchObject({ State: 'resolved' })
  })

  test('of a file does not count other files, and moves with it', async () => {
    const [file, other] = [await viewers.newFile(), await viewers.newFile()]
    const { Id } = await create({ FileId: file.id })
    expect(await get(Id)).toMatchObject({ ProjectId: file.projectId, FileId: file.id })
    await viewers.watch(other)
    await viewers.settle(viewsOf(other)).toBe(1)
    await evaluateAfter(0)
    expect(await statesOf(Id)).toEqual([])
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(1)
    await server.services.database.kysely
      .updateTable('media_files')
      .set({ project_id: other.projectId })
      .where('id', '=', file.id)
      .execute()
    await evaluateAfter(1)
    expect(await eventsOf(Id)).toMatchObject([
      { ProjectId: other.projectId, Alert: { State: 'firing', FileId: file.id } },
    ])
    await server.services.database.kysely.deleteFrom('media_files').where('id', '=', file.id).execute()
    expectProblem(await server.call('GET', `${path}/${Id}`), 'not_found')
  })

  test('that is disabled or deleted while it fires is resolved', async () => {
    const file = await viewers.newFile()
    const [disabled, deleted] = [await create({ FileId: file.id }), await create({ FileId: file.id })]
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(1)
    await evaluateAfter(0)
    const off = await server.call('PUT', `${path}/${disabled.Id}`, { body: { IsEnabled: false } })
    expect(off.body).toMatchObject({ IsEnabled: false, State: 'resolved' })
    await evaluateAfter(1)
    expect(await statesOf(disabled.Id)).toEqual(['firing', 'resolved'])
    expect((await server.call('DELETE', `${path}/${deleted.Id}`)).body).toMatchObject({ Id: deleted.Id })
    expect(await statesOf(deleted.Id)).toEqual(['firing', 'resolved'])
  })
})

describe('an alert whose file or project is deleted', () => {
  test('is resolved, and evaluated again after a restoration', async () => {
    const file = await viewers.newFile()
    const project = `/projects/${file.projectId}`
    const [ofFile, ofProject] = [
      await create({ FileId: file.id, WindowMinutes: 10 }),
      await create({ ProjectId: file.projectId, WindowMinutes: 10 }),
    ]
    await viewers.watch(file)
    await viewers.settle(viewsOf(file)).toBe(1)
    const statesAfter = async (minutes: number) => {
      await evaluateAfter(minutes)
      return [await statesOf(ofFile.Id), await statesOf(ofProject.Id)]
    }
    expect(await statesAfter(0)).toEqual([['firing'], ['firing']])
    await server.call('DELETE', `${project}/files/${file.id}`)
    expect(await statesAfter(1)).toEqual([['firing', 'resolved'], ['firing']])
    expect(await get(ofFile.Id)).toMatchObject({ State: 'resolved', IsEnabled: true, Value: null })
    expect((await server.call('POST', `${project}/files/${file.id}/restore`)).status).toBe(200)
    const again = ['firing', 'resolved', 'firing']
    expect(await statesAfter(2)).toEqual([again, ['firing']])
    await server.call('DELETE', `${project}?cascade=true`)
    expect(await statesAfter(3)).toEqual([
      [...again, 'resolved'],
      ['firing', 'resolved'],
    ])
    expect((await server.call('POST', `${project}/restore`)).status).toBe(200)
    expect(await statesAfter(4)).toEqual([[...again, 'resolved', 'firing'], again])
  })

  test('does not fire', async () => {
    const file = await viewers.newFile()
    const silence = { Metric: 'views', Operator: 'below', Threshold: 1 }
    const { Id } = await create({ ...silence, FileId: file.id })
    await server.call('DELETE', `/projects/${file.projectId}/files/${file.id}`)
    await evaluateAfter(0)
    expect(await statesOf(Id)).toEqual([])
  })
})

describe('the rules', () => {
  test('are created, listed, changed and deleted, with an audit entry for each', async () => {
    const { projectId } = await viewers.newFile()
    const made = await server.call('POST', path, {
      body: { ...rule, Label: 'Buffering', ProjectId: projectId },
    })
    const { Id } = made.body
    expect(made.headers.get('location')).toBe(`${server.url}/v3${path}/${Id}`)
    expect(made.body).toMatchObject({ ...rule, FileId: null, MinimumViewers: 0, IsEnabled: true })
    expect(await get(Id)).toEqual(made.body)
    expect(await viewers.read(`${path}?projectId=${projectId}&state=resolved`)).toMatchObject({
      ...{ TotalCount: 1, Alerts: [made.body] },
    })
    const stale = { 'if-match': '"1-999"' }
    const one = `${path}/${Id}`
    const change = { Label: null, Threshold: 0.03, WindowMinutes: null, MinimumViewers: 50 }
    expect((await server.call('PUT', one, { body: change, headers: stale })).status).toBe(412)
    const changed = await server.call('PUT', one, {
      ...{ body: change, headers: { 'if-match': made.headers.get('etag') ?? '' } },
    })
    expect(changed.body).toMatchObject({ Label: '', Threshold: 0.03, WindowMinutes: 5, MinimumViewers: 50 })
    const same = await server.call('PUT', one, { body: changed.body })
    expect(same.headers.get('etag')).toBe(changed.headers.get('etag'))
    expect((await server.call('DELETE', one, { headers: stale })).status).toBe(412)
    expect((await server.call('DELETE', one)).body).toMatchObject({ Id, IsEnabled: false })
    for (const method of ['GET', 'PUT', 'DELETE'])
      expectProblem(await server.call(method, one, method === 'PUT' ? { body: {} } : {}), 'not_found')
    const { AuditEntries: Entries } = await viewers.read(`/audit?subject=Alert&subjectId=${Id}&sort=asc`)
    expect(Entries.map(({ Action }: { Action: string }) => Action)).toEqual([
      ...['alert.created', 'alert.updated', 'alert.deleted'],
    ])
    expect(Entries[1].Changes).toContainEqual(
      expect.objectContaining({ Field: 'Threshold', Before: 0.01, After: 0.03 }),
    )
  })

  test.each([
    { Metric: 'bytes' },
    { Metric: 'nonsense' },
    { Operator: 'equal' },
    { Threshold: -1 },
    { Threshold: '2 %' },
    { WindowMinutes: 0 },
    { WindowMinutes: 61 },
    { WindowMinutes: 1.5 },
    { MinimumViewers: -1 },
    { Label: 'a'.repeat(256) },
    { IsEnabled: 'yes' },
    { ProjectId: 999_999 },
    { FileId: 999_999 },
  ])('with %o are refused with 400', async (fields) => {
    expectProblem(await server.call('POST', path, { body: { ...rule, ...fields } }), 'invalid')
  })

  test('need a metric, an operator and a threshold', async () => {
    for (const missing of ['Metric', 'Operator', 'Threshold']) {
      const body = { ...rule, [missing]: undefined }
      expectProblem(await server.call('POST', path, { body }), 'invalid')
    }
  })

  test('name a file of their project', async () => {
    const [file, other] = [await viewers.newFile(), await viewers.newFile()]
    const body = { ...rule, FileId: file.id, ProjectId: other.projectId }
    expectProblem(await server.call('POST', path, { body }), 'invalid')
    const { Id } = await create({ FileId: file.id })
    const toOther = { body: { ProjectId: other.projectId } }
    expectProblem(await server.call('PUT', `${path}/${Id}`, toOther), 'invalid')
    const whole = await server.call('PUT', `${path}/${Id}`, { body: { ProjectId: null, FileId: null } })
    expect(whole.body).toMatchObject({ ProjectId: null, FileId: null })
    await server.call('DELETE', `${path}/${Id}`)
  })

  test('are at most 100 for each account', async () => {
    const apiKey = await server.newKey({ inNewAccount: true, role: 'Administrator' })
    for (let count = 0; count < 100; count++)
      expect((await server.call('POST', path, { apiKey, body: rule })).status).toBe(201)
    expectProblem(await server.call('POST', path, { apiKey, body: rule }), 'conflict')
    await create({})
  })

  test('are visible only within the account and the projects of the key', async () => {
    const [own, other] = [await viewers.newFile(), await viewers.newFile()]
    const [ofOwn, ofOther, ofAll] = [
      ...[await create({ ProjectId: own.projectId }), await create({ FileId: other.id }), await create({})],
    ]
    const apiKey = await server.newKey({ role: 'Administrator', projectIds: [own.projectId] })
    const { body } = await server.call('GET', path, { apiKey })
    expect(body.Alerts.map(({ Id }: { Id: number }) => Id)).toEqual([ofOwn.Id])
    for (const { Id } of [ofOther, ofAll])
      expectProblem(await server.call('GET', `${path}/${Id}`, { apiKey }), 'not_found')
    for (const place of [{}, { ProjectId: other.projectId }, { FileId: other.id }])
      expectProblem(await server.call('POST', path, { apiKey, body: { ...rule, ...place } }), 'invalid')
    const stranger = await server.newKey({ inNewAccount: true })
    expect((await server.call('GET', path, { apiKey: stranger })).body.TotalCount).toBe(0)
    expectProblem(await server.call('GET', `${path}/${ofOwn.Id}`, { apiKey: stranger }), 'not_found')
  })

  test('are written by administrators, and read by all', async () => {
    const apiKey = await server.newKey({ role: 'SeniorEditor' })
    expectProblem(await server.call('POST', path, { apiKey, body: rule }), 'forbidden')
    expect((await server.call('GET', path, { apiKey })).status).toBe(200)
    const other = await server.newKey({ scopes: ['files:read'] })
    expectProblem(await server.call('GET', path, { apiKey: other }), 'forbidden')
    expectProblem(await server.call('GET', `${path}?state=nonsense`), 'invalid')
  })
})
