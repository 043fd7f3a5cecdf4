import { expect, expectTypeOf, test } from 'vitest'
import type { components } from '../src/generated/api.ts'
import type { MediaFile, Project, WebhookEvent, Zoetrope } from '../src/index.ts'

// `npm run types` checks the type assertions of these tests; at run time they call only a few small functions.

type EventName = components['schemas']['Event']['Event']

test('the event name determines the type of its record', () => {
  const nameOf = (event: WebhookEvent): string => {
    if (event.Event === 'file.new') return `file ${event.File.Id}`
    if (event.Event === 'recording.finished' || event.Event === 'live.started') return event.Live.State
    if (event.Event === 'project.new') {
      expectTypeOf(event.Project).toEqualTypeOf<Project>()
      expectTypeOf(event.File).toEqualTypeOf<undefined>()
      // @ts-expect-error -- an event of a project carries no file
      return (): number => event.File.Id
    }
    return event.Event
  }
  const event = { Event: 'file.new', File: { Id: 7 } } as WebhookEvent
  expect(nameOf(event)).toBe('file 7')
  if (event.File !== undefined) expectTypeOf(event.File).toEqualTypeOf<MediaFile>()
})

test('the event union contains every API event', () => {
  expectTypeOf<WebhookEvent['Event']>().toEqualTypeOf<EventName>()
})

test('event methods return the event union', () => {
  type Events = Zoetrope['events']
  expectTypeOf<Awaited<ReturnType<Events['get']>>>().toEqualTypeOf<WebhookEvent>()
  expectTypeOf<Awaited<ReturnType<Events['list']>>['Events'][number]>().toEqualTypeOf<WebhookEvent>()
})

test('a query accepts only the parameters of its schema', () => {
  type Files = NonNullable<Parameters<Zoetrope['files']['list']>[1]>
  type Events = NonNullable<Parameters<Zoetrope['events']['list']>[0]>
  type Playlists = NonNullable<Parameters<Zoetrope['playlists']['list']>[0]>
  expectTypeOf<Files['limit']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Files['sort']>().toEqualTypeOf<'asc' | 'desc' | undefined>()
  expectTypeOf<Files['isFinished']>().toEqualTypeOf<boolean | undefined>()
  expectTypeOf<Files['createdFrom']>().toEqualTypeOf<string | Date | undefined>()
  expectTypeOf<Events['after']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<Events['projectId']>().toEqualTypeOf<number | string | undefined>()
  expectTypeOf<keyof Playlists>().toEqualTypeOf<
    | ('limit' | 'offset' | 'cursor' | 'orderBy' | 'sort')
    | ('search' | 'type' | 'projectId' | 'releaseStatus' | 'externalId' | 'includeDeleted')
  >()
  // @ts-expect-error -- a limit is a number
  const wrongType: Files = { limit: '20' }
  // @ts-expect-error -- text is no date
  const wrongDate: Files = { search: new Date(0) }
  // @ts-expect-error -- there is no such order
  const wrongOrder: Files = { orderBy: 'colour' }
  // @ts-expect-error -- there is no such parameter
  const wrongName: Files = { titel: 'Interview' }
  // @ts-expect-error -- keys of CustomMetadata have text values
  const wrongFamily: Files = { customMetadata: { season: true } }
  // @ts-expect-error -- this filter exists for files, not for playlists
  const wrongList: Playlists = { isFinished: true }
  expect([wrongType, wrongDate, wrongOrder, wrongName, wrongFamily, wrongList]).toHaveLength(6)
})
