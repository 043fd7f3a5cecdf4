import { Type, type TSchema } from 'typebox'

const formKey = 'x-form'

/**
 * A form or raw bytes, read as a stream and validated by the route. The validator accepts anything;
 * openapi.json shows `schema`.
 */
export const streamedBody = (schema: TSchema): TSchema => Type.Unsafe({ [formKey]: schema })

export const binarySchema = (maxLength: number, description: string): TSchema =>
  Type.String({ format: 'binary', maxLength, description })

/** Replaces the placeholder of a streamed body by its schema. */
export const describeStreamedBodies = (content: Record<string, { schema?: object }> = {}): void => {
  for (const body of Object.values(content)) {
    const schema = (body.schema as Record<string, unknown> | undefined)?.[formKey]
    if (typeof schema === 'object' && schema !== null) body.schema = schema
  }
}
