export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly examples?: readonly unknown[]
}

interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema?: Schema
}

interface OperationObject {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>
}

export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

export interface Operation extends OperationObject {
  /** Upper case. */
  readonly method: string
  /** Contains placeholders such as `{projectId}`. */
  readonly path: string
}

export const operationsOf = (document: OpenApiDocument): Operation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )

/** Returns the operations that take an API key or a session. Upload URLs contain their own credential. */
export const apiOperationsOf = (document: OpenApiDocument): Operation[] =>
  operationsOf(document).filter(({ path }) => path.startsWith('/v3/'))

/** Returns the examples of whole bodies in the documentation. */
export const bodyExamples = (content: Content | undefined): unknown[] => [
  ...(content?.example === undefined ? [] : [content.example]),
  ...Object.values(content?.examples ?? {}).flatMap(({ value }) => (value === undefined ? [] : [value])),
]

/** Resolves a `$ref` and returns other schemas unchanged. */
export const resolveSchema = (document: OpenApiDocument, schema: Schema): Schema => {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (document.components.schemas[name] ?? {})
}
