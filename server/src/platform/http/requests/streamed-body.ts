import type { Readable } from 'node:stream'
import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'

const formKey = 'x-form'

/**
 * A form or raw bytes, read as a stream and validated by the route. The validator accepts anything;
 * openapi.json shows `schema`.
 */
export const streamedBody = (schema: TSchema): TSchema => Type.Unsafe({ [formKey]: schema })

/** Body of a route that takes JSON and also forms or raw bytes. `jsonBodyOf` returns the JSON. */
export type JsonOrBytes<Json> = Json | Readable | null | undefined

/** Schema of such a body: JSON, or a stream of one of the other content types. */
export const jsonOrStreamedBody = <Json extends TSchema>(
  json: Json,
  streams: Readonly<Record<string, TSchema>>,
): TUnsafe<JsonOrBytes<Static<Json>>> => {
  const content = {
    'application/json': { schema: json },
    ...Object.fromEntries(
      Object.entries(streams).map(([type, schema]) => [type, { schema: streamedBody(schema) }]),
    ),
  }
  // Fastify validates each content type with its own schema; only the type of the body is that of a schema.
  return { content } as unknown as TUnsafe<JsonOrBytes<Static<Json>>>
}

export const binarySchema = (maxLength: number, description: string): TSchema =>
  Type.String({ format: 'binary', maxLength, description })

/** Replaces the placeholder of a streamed body by its schema. */
export const describeStreamedBodies = (content: Record<string, { schema?: object }> = {}): void => {
  for (const body of Object.values(content)) {
    const schema = (body.schema as Record<string, unknown> | undefined)?.[formKey]
    if (typeof schema === 'object' && schema !== null) body.schema = schema
  }
}
