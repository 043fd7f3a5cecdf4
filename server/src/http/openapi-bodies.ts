interface Body {
  readonly content?: Record<string, { schema?: object; example?: unknown }>
}

interface Operation {
  readonly operationId?: string
  readonly requestBody?: Body
}

/** `createFile` takes a `FileCreate`, `updateFileMetadata` a `FileMetadataUpdate`, `redeliver` a `Redeliver`. */
const bodyName = (operationId: string): string => {
  // English has no noun here to put first.
  if (operationId.startsWith('signIn')) return operationId.replace('s', 'S')
  const [, verb = '', noun = ''] = /^([a-z]+)(\w*)$/.exec(operationId) ?? []
  return `${noun}${verb.charAt(0).toUpperCase()}${verb.slice(1)}`
}

/** Names the JSON bodies of the operations, which generated clients make types of, and refers to them. Changes the operations in place. */
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
      throw new Error(`The body of ${operationId} needs another name than ${name}`)
    named[name] =
      'examples' in json.schema || json.example === undefined
        ? json.schema
        : { ...json.schema, examples: [json.example] }
    json.schema = { $ref: `#/components/schemas/${name}` }
  }
  return named
}
