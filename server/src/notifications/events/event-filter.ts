import { Type, type Static, type TObject } from 'typebox'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import { idListText, instantText, integerText } from '../../platform/http/openapi/openapi-query.ts'
import { parseIdList, parseInstantParameter } from '../../platform/http/requests/query-values.ts'
import { parseEventNames } from '../../platform/outbox/parse-event-names.ts'
import { invalidField } from '../../platform/base/problem.ts'

export interface EventScope {
  readonly accountId: number
  /** Null = all projects, and events without a project. */
  readonly projectIds: readonly number[] | null
  /** The records of `webhook.ping` are webhooks, which require webhooks:read. */
  readonly canReadWebhooks: boolean
}

export const scopeOf = ({ accountId, projectIds, can }: Principal): EventScope => ({
  accountId,
  projectIds,
  canReadWebhooks: can('webhooks:read'),
})

/** Filter of the event log; null matches everything. */
export interface EventFilter {
  readonly names: readonly string[] | null
  readonly projectIds: readonly number[] | null
  readonly fileIds: readonly number[] | null
  readonly occurredFrom: Date | null
  readonly occurredTo: Date | null
}

export const eventQuery = {
  event: Type.Optional(
    Type.String({
      maxLength: 1_000,
      examples: ['file.new,playlist.*'],
      description: 'Events with any of these names or families such as `file.*`. Comma-separated list.',
    }),
  ),
  projectId: Type.Optional(
    idListText('Events of any of these projects. Comma-separated list of Ids.', {
      maxLength: 1_000,
    }),
  ),
  fileId: Type.Optional(
    idListText('Events of any of these files. Comma-separated list of Ids.', {
      maxLength: 1_000,
      example: 5,
    }),
  ),
}

/** The filter of the list by time, beside `eventQuery`. */
export const occurredQuery = {
  occurredFrom: Type.Optional(instantText('Events at or after this time.', '2026-03-01T00:00:00+00:00')),
  occurredTo: Type.Optional(instantText('Events before this time.', '2026-04-01T00:00:00+00:00')),
}

type EventQuery = Static<TObject<typeof eventQuery & typeof occurredQuery>>

/** Where reading begins; `parseAfter` reads it. */
export const afterText = (description: string) =>
  integerText({ description, maxLength: 20 }, { minimum: 0, maximum: Number.MAX_SAFE_INTEGER, example: 17 })

/** Throws 'invalid' with the name of the parameter. */
export const parseFilter = (query: EventQuery): EventFilter => ({
  names: query.event === undefined ? null : parseEventNames(query.event),
  projectIds: query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId'),
  fileIds: query.fileId === undefined ? null : parseIdList(query.fileId, 'fileId'),
  occurredFrom:
    query.occurredFrom === undefined ? null : parseInstantParameter(query.occurredFrom, 'occurredFrom'),
  occurredTo: query.occurredTo === undefined ? null : parseInstantParameter(query.occurredTo, 'occurredTo'),
})

/**
 * Parses an event id or 0. Throws 'invalid' for anything else and for an id not yet assigned, because its
 * reader would be waiting for another log.
 */
export const parseAfter = (text: string, field: string, newestId: number): number => {
  const id = Number(text)
  if (!/^(0|[1-9][0-9]{0,15})$/.test(text) || !Number.isSafeInteger(id))
    throw invalidField(field, 'not_event_id', { value: text.slice(0, 40) })
  if (id > newestId) throw invalidField(field, 'future_event_id', { id })
  return id
}

/** Filters events for the stream; `event-log.ts` applies the same filter in SQL. */
export const isWanted = (
  event: {
    readonly name: string
    readonly subject: string
    readonly projectId: number | null
    readonly fileId: number | null
  },
  scope: EventScope,
  filter: EventFilter,
): boolean => {
  const isIn = (ids: readonly number[] | null, id: number | null): boolean =>
    ids === null || (id !== null && ids.includes(id))
  return (
    isIn(scope.projectIds, event.projectId) &&
    (scope.canReadWebhooks || event.subject !== 'Webhook') &&
    isIn(filter.projectIds, event.projectId) &&
    isIn(filter.fileIds, event.fileId) &&
    (filter.names === null || filter.names.includes(event.name))
  )
}
