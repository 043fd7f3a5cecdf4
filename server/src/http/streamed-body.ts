import { Type, type TSchema } from 'typebox'

const formKey = 'x-form'

/** A form or raw bytes, which are read as a stream and checked by hand: to the validator it is anything, in openapi.json it is `schema`. */
export const streamedBody = (schema: TSchema): TSchema => Type.Unsafe({ [formKey]: schema })

export const binarySchema = (maxLength: number, description: string): TSchema =>
  Type.String({ format: 'binary', maxLength, description })

/** Puts what a streamed body is into its place. */
export const describeStreamedBodies = (content: Record<string, { schema?: object }> = {}): void => {
  for (const body of Object.values(content)) {
    const schema = (body.schema as Record<string, unknown> | undefined)?.[formKey]
    if (typeof schema === 'object' && schema !== null) body.schema = schema
  }
}
