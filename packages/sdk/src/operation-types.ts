import type { components, operations } from './generated/api.ts'
import type { operationTable } from './generated/operation-table.ts'
import type { WebhookEvent } from './webhook-event.ts'

export type OperationId = keyof typeof operationTable & keyof operations

type Json<T> = T extends { content: { 'application/json': infer Content } } ? Content : never

/** JSON of the success response of an operation. */
export type Answer<Id extends OperationId> = operations[Id] extends { responses: infer R }
  ? WithEvents<Json<R[(200 | 201) & keyof R]>>
  : never

/** Replaces the Event schema by a union, because the schema alone makes every record optional. */
type WithEvents<Content> = Content extends components['schemas']['Event']
  ? WebhookEvent
  : Content extends { Events: components['schemas']['Event'][] }
    ? Omit<Content, 'Events'> & { Events: WebhookEvent[] }
    : Content

/** JSON body of an operation. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer B }
  ? Json<NonNullable<B>>
  : never

/** Query parameters of an operation. */
export type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Q } }
  ? Readonly<NonNullable<Q>>
  : never

/** Record type of a list response. */
export type Listed<Id extends OperationId, Key extends string> =
  Answer<Id> extends Record<Key, readonly (infer T)[]> ? T : never

export type Project = components['schemas']['Project']
export type MediaFile = components['schemas']['File']
