/** A part of a query or a body, and what the help says of it. */
export interface Field {
  readonly type: FieldType
  readonly help?: string
  /** All that it takes, where that is a closed set. */
  readonly values?: readonly string[]
}

export type FieldType = 'string' | 'integer' | 'number' | 'boolean' | 'strings' | 'integers' | 'json'

/** What `npm run codegen` writes of each operation of the API. */
export interface Operation {
  readonly summary: string
  /** The ids in its path, in their order. */
  readonly path: readonly (readonly [name: string, type: FieldType])[]
  readonly query: Readonly<Record<string, Field>>
  /** Fields of its JSON; those inside of others by a path such as `Metadata.Title`. */
  readonly body: Readonly<Record<string, Field>>
  readonly required: readonly string[]
  readonly hasBody: boolean
  /** Where an answer that comes in pages holds its records; null for other answers. */
  readonly listKey: string | null
}
