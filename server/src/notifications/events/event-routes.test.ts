import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { createEventWorld, type EventWorld } from './test-support/event-world.ts'

let world: EventWorld
let start: number

const list = (query: string, apiKey?: string) =>
  world.server.call('GET', `/events?${query}`, apiKey === undefined ? {} : { apiKey })

const idsOf = (body: { Events: { EventId: number }[] }): number[] => body.Events.map(({ EventId }) => EventId)

beforeAll(async () => {
  world = await createEventWorld({ withWorker: true })
  start = await world.emitEvent()
})

afterAll(() => world.server.stop())

describe('the event list', () => {
  test('contains each event with the record at that moment', async () => {
    const created = await world.server.call('POST', '/projects', { body: { Name: 'First name' } })
    await world.server.call('PUT', `/projects/${created.body.Id}`, { body: { Name: 'Second name' } })
    const { status, body } = await list(`after=${start}&projectId=${created.body.Id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      Events: [
        {
          Event: 'project.new',
          EventId: expect.any(Number),
          OccurredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
          Sequence: 1,
          ProjectId: created.body.Id,
          Project: created.body,
        },
        expect.objectContaining({
          Event: 'project.updated',
          Sequence: 2,
          Project: expect.objectContaining({ Name: 'Second name' }),
        }),
      ],
      TotalCount: 2,
      Limit: 50,
      Offset: 0,
      NextCursor: null,
    })
  })

  test('starts with the newest event without after', async () => {
    const older = await world.emitEvent()
    const newer = await world.emitEvent()
    const { body } = await list('limit=2')
    expect(idsOf(body)).toEqual([newer, older])
    expect(idsOf((await list('limit=1&sort=asc')).body)[0]).toBeLessThan(older)
  })

  test('continues with the events after the given one, oldest first, and counts those to come', async () => {
    const from = await world.emitEvent()
    const ids = [await world.emitEvent(), await world.emitEvent(), await world.emitEvent()]
    const first = await list(`after=${from}&limit=2`)
    expect(idsOf(first.body)).toEqual(ids.slice(0, 2))
    expect(first.body.TotalCount).toBe(3)
    const second = await list(`after=${ids[1]}&limit=2`)
    expect(idsOf(second.body)).toEqual(ids.slice(2))
    const end = await list(`after=${ids[2]}`)
    expect(end.body).toMatchObject({ Events: [], TotalCount: 0, NextCursor: null })
  })

  test('supports the cursor with and without after', async () => {
    const from = await world.emitEvent()
    const ids = [await world.emitEvent(), await world.emitEvent(), await world.emitEvent()]
    const first = await list(`after=${from}&limit=2`)
    const next = await list(`after=${from}&limit=2&cursor=${first.body.NextCursor}`)
    expect(idsOf(next.body)).toEqual(ids.slice(2))
    const newest = await list('limit=2')
    const older = await list(`limit=2&cursor=${newest.body.NextCursor}`)
    expect(idsOf(older.body)).toEqual([ids[0], from])
  })

  test('starts with the oldest kept event for after=0 and for a deleted id', async () => {
    const { body: all } = await list('after=0&limit=500')
    const [oldest = 0, second = 0] = idsOf(all)
    await world.server.services.database.kysely.deleteFrom('events').where('id', '=', oldest).execute()
    expect(idsOf((await list(`after=${oldest}&limit=1`)).body)).toEqual([second])
    expect(idsOf((await list('after=0&limit=1')).body)).toEqual([second])
  })

  test('answers 400 for an id that is not assigned yet', async () => {
    const newest = idsOf((await list('limit=1')).body)[0] ?? 0
    const answer = await list(`after=${newest + 1_000}`)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe('after')
  })

  test.each(['-1', '1.5', '1e3', '01', 'abc', '', '99999999999999999999', '%00'])(
    'answers 400 for after=%s',
    async (value) => {
      const answer = await list(`after=${value}`)
      expectProblem(answer, 'invalid')
      expect(answer.body.error.details[0].field).toBe('after')
    },
  )

  test('answers 304 until a new event is written', async () => {
    const from = await world.emitEvent()
    const { headers } = await list(`after=${from}`)
    const etag = headers.get('etag') ?? ''
    const again = () =>
      world.server.call('GET', `/events?after=${from}`, { headers: { 'If-None-Match': etag } })
    expect((await again()).status).toBe(304)
    await world.emitEvent()
    expect((await again()).status).toBe(200)
  })
})

describe('filters of the event list', () => {
  test('select by name, by family and by several of them', async () => {
    const from = await world.emitEvent()
    const playable = await world.emitEvent({ name: 'file.playable', subject: 'File' })
    const created = await world.emitEvent({ name: 'file.created', subject: 'File' })
    const playlist = await world.emitEvent({ name: 'playlist.new', subject: 'Playlist' })
    const ids = async (event: string) => idsOf((await list(`after=${from}&event=${event}`)).body)
    expect(await ids('file.playable')).toEqual([playable])
    expect(await ids('file.*')).toEqual([playable, created])
    expect(await ids('file.created,playlist.*')).toEqual([created, playlist])
    expect(await ids('*')).toEqual([playable, created, playlist])
    expect(await ids('live.*')).toEqual([])
  })

  test('select by project and by file', async () => {
    const other = (await world.server.call('POST', '/projects', { body: { Name: 'Other' } })).body.Id
    const from = await world.emitEvent()
    const mine = await world.emitEvent({ fileId: 71 })
    const others = await world.emitEvent({ projectId: other, fileId: 72 })
    expect(idsOf((await list(`after=${from}&projectId=${other}`)).body)).toEqual([others])
    expect(idsOf((await list(`after=${from}&projectId=${other},${world.projectId}`)).body)).toEqual([
      mine,
      others,
    ])
    expect(idsOf((await list(`after=${from}&fileId=71`)).body)).toEqual([mine])
    expect(idsOf((await list(`after=${from}&fileId=71,72`)).body)).toEqual([mine, others])
    expect((await list(`after=${from}&projectId=999999`)).body).toMatchObject({ Events: [], TotalCount: 0 })
  })

  test('select by time, with an inclusive start and an exclusive end', async () => {
    const eventId = await world.emitEvent()
    const { body } = await world.server.call('GET', `/events/${eventId}`)
    const at = encodeURIComponent(body.OccurredAt)
    // The log stores microseconds; the record shows milliseconds.
    const next = encodeURIComponent(new Date(Date.parse(body.OccurredAt) + 1).toISOString())
    const after = `after=${eventId - 1}`
    expect(idsOf((await list(`${after}&occurredFrom=${at}&occurredTo=${next}`)).body)).toEqual([eventId])
    expect(idsOf((await list(`${after}&occurredTo=${at}`)).body)).toEqual([])
    expect(idsOf((await list(`${after}&occurredFrom=${next}`)).body)).toEqual([])
  })

  test.each([
    ['event', 'file.nonsense'],
    ['event', ''],
    ['event', 'file.new,,x'],
    ['projectId', '0'],
    ['projectId', '1,a'],
    ['projectId', '9007199254740993'],
    ['fileId', '1e3'],
    ['fileId', '%00'],
    ['occurredFrom', 'yesterday'],
    ['occurredTo', '2026-13-01T00:00:00Z'],
    ['limit', '0'],
  ])('answer 400 naming %s for "%s"', async (field, value) => {
    const answer = await list(`${field}=${value}`)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.details[0].field).toBe(field)
  })
})

describe('a single event', () => {
  test('equals the entry of the list', async () => {
    const eventId = await world.emitEvent()
    const { body: listed } = await list('limit=1')
    const one = await world.server.call('GET', `/events/${eventId}`)
    expect(one.status).toBe(200)
    expect(one.body).toEqual(listed.Events[0])
    const etag = one.headers.get('etag') ?? ''
    const again = await world.server.call('GET', `/events/${eventId}`, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
  })

  test('can be read as soon as it is committed, even while older transactions are open', async () => {
    const slow = await world.begin()
    await world.emitIn(slow.tx)
    const eventId = await world.emitEvent()
    expect((await world.server.call('GET', `/events/${eventId}`)).status).toBe(200)
    expect((await list(`after=${eventId}`)).status).toBe(200)
    await slow.commit()
  })

  test('answers 404 when it does not exist and 400 for an invalid id', async () => {
    expectProblem(await world.server.call('GET', '/events/999999'), 'not_found')
    expectProblem(await world.server.call('GET', '/events/01'), 'invalid')
  })
})

describe('access to events', () => {
  test('limits an API key of certain projects to their events', async () => {
    const other = (await world.server.call('POST', '/projects', { body: { Name: 'Other' } })).body.Id
    const apiKey = await world.server.newKey({ projectIds: [other] })
    const hidden = await world.emitEvent()
    const shown = await world.emitEvent({ projectId: other })
    const nobodys = await world.emitEvent({ projectId: null })
    const { body } = await list(`after=${hidden - 1}`, apiKey)
    expect(idsOf(body)).toEqual([shown])
    expect(body.TotalCount).toBe(1)
    expect(idsOf((await list(`after=${hidden - 1}&projectId=${world.projectId}`, apiKey)).body)).toEqual([])
    for (const id of [hidden, nobodys])
      expectProblem(await world.server.call('GET', `/events/${id}`, { apiKey }), 'not_found')
    expect((await world.server.call('GET', `/events/${shown}`, { apiKey })).status).toBe(200)
  })

  test('shows webhook events only with webhooks:read', async () => {
    const webhook = await world.server.call('POST', '/modules/notifications', {
      body: { TargetURL: world.server.url, EventTypes: ['live.*'], CustomHeaders: { 'X-Secret': 'hidden' } },
    })
    const ping = await world.server.call('POST', `/modules/notifications/${webhook.body.Id}/test`)
    const pingId = ping.body.EventId
    const apiKey = await world.server.newKey({ role: 'Reader' })
    expect((await list(`after=${pingId - 1}`)).body.Events[0]).toMatchObject({ Event: 'webhook.ping' })
    expect((await list(`after=${pingId - 1}`, apiKey)).body).toMatchObject({ Events: [], TotalCount: 0 })
    expect((await list(`after=${pingId - 1}&event=webhook.ping`, apiKey)).body.Events).toEqual([])
    expectProblem(await world.server.call('GET', `/events/${pingId}`, { apiKey }), 'not_found')
  })

  test('is denied to other accounts and to API keys without events:read', async () => {
    const eventId = await world.emitEvent()
    const stranger = await world.server.newKey({ inNewAccount: true })
    expect((await list('limit=5', stranger)).body).toMatchObject({ Events: [], TotalCount: 0 })
    expectProblem(await world.server.call('GET', `/events/${eventId}`, { apiKey: stranger }), 'not_found')
    const other = await world.server.newKey({ scopes: ['files:read'] })
    expectProblem(await list('limit=5', other), 'forbidden')
    expectProblem(await world.server.call('GET', '/events', { apiKey: null }), 'unauthorized')
  })
})

test('a webhook carries the same event object as the list', async () => {
  const receiver = await startWebhookReceiver()
  await world.server.call('POST', '/modules/notifications', {
    body: { TargetURL: receiver.url, EventTypes: ['project.new'] },
  })
  await world.server.call('POST', '/projects', { body: { Name: 'Announced' } })
  const { event } = await receiver.next('project.new')
  const { body } = await world.server.call('GET', `/events/${event.EventId}`)
  expect(body).toEqual(event)
  await receiver.stop()
})
