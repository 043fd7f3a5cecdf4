interface Body {
  readonly content?: Record<string, { schema?: object; example?: unknown }>
}

interface Operation {
  readonly operationId?: string
  readonly requestBody?: Body
}

/**
 * Returns the schema name: `FileCreate` for `createFile`, `FileMetadataUpdate` for `updateFileMetadata`,
 * `Redeliver` for `redeliver`.
 */
const bodyName = (operationId: string): string => {
  // "signIn" and its variants have no noun to put first.
  if (operationId.startsWith('signIn')) return operationId.replace('s', 'S')
  const [, verb = '', noun = ''] = /^([a-z]+)(\w*)$/.exec(operationId) ?? []
  return `${noun}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
}

/**
 * Moves JSON request bodies to named schemas, so that generated clients have types for them. Modifies the
 * operations in place. Throws when a name is taken.
 */
export const nameBodies = (
  operations: readonly Operation[],
  taken: Readonly<Record<string, object>>,
): Record<string, object> => {
  const named: Record<string, object> = {}
  for (const { operationId, requestBody } of operations) {
    const json = requestBody?.content?.['application/json']
    if (operationId === undefined || json?.schema === undefined || '$ref' in json.schema) continue
    const name = bodyName(operationId)
    if (name in taken || name in named)
      throw new Error(`The body of ${operationId} must not be named ${name}`)
    named[name] =
      'examples' in json.schema || json.example === undefined
        ? json.schema
        : { ...json.schema, examples: [json.example] }
    json.schema = { $ref: `#/components/schemas/${name}` }
  }
  return named
}
