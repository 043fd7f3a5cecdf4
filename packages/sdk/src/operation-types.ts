import type { components, operations } from './generated/api.ts'
import type { operationTable } from './generated/operation-table.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type OperationId = keyof typeof operationTable & keyof operations

type Json<T> = T extends { content: { 'application/json': infer Content } } ? Content : never

/** The JSON of the success answer of an operation. */
export type Answer<Id extends OperationId> = operations[Id] extends { responses: infer R }
  ? WithEvents<Json<R[(200 | 201) & keyof R]>>
  : never

/** Events as a union: the schema alone leaves every record optional. */
type WithEvents<Content> = Content extends components['schemas']['Event']
  ? WebhookEvent
  : Content extends { Events: components['schemas']['Event'][] }
    ? Omit<Content, 'Events'> & { Events: WebhookEvent[] }
    : Content

/** The JSON that an operation takes. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer B }
  ? Json<NonNullable<B>>
  : never

/** The query that an operation takes. */
export type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Q } }
  ? Readonly<NonNullable<Q>>
  : never

/** One record of a list's answer. */
export type Listed<Id extends OperationId, Key extends string> =
  Answer<Id> extends Record<Key, readonly (infer T)[]> ? T : never

export type Project = components['schemas']['Project']
export type MediaFile = components['schemas']['File']
