export interface Field {
  readonly type: FieldType
  readonly help?: string
  readonly values?: readonly string[]
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'integers' | 'json'

/** Output of `npm run codegen` for each operation of the API. */
export interface Operation {
  readonly summary: string
  readonly path: readonly (readonly [name: string, type: FieldType])[]
  readonly query: Readonly<Record<string, Field>>
  /** Fields of the JSON body. Nested fields have a path such as `Metadata.Title`. */
  readonly body: Readonly<Record<string, Field>>
  readonly required: readonly string[]
  readonly hasBody: boolean
  /** Key of the records in a paged response. Null for other responses. */
  readonly listKey: string | null
  /** Fields of the records of a list. `CustomMetadata.*` stands for any field of that object. */
  readonly columns?: readonly string[]
}
