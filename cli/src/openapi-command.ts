import { ApiError, ConnectionError } from '@zoetrope/sdk'
import type { Command } from './command.ts'

const fetchDocument = async (apiBase: string): Promise<string> => {
  const response = await fetch(`${apiBase}/openapi.json`).catch((error: unknown) => {
    throw new ConnectionError(`${new URL(apiBase).origin} cannot be reached. Is Zoetrope running there?`, {
      cause: error,
    })
  })
  if (response.ok) return response.text()
  throw new ApiError({
    status: response.status,
    message: `${apiBase}/openapi.json answers ${response.status}.`,
    type: 'unknown',
    details: [],
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: null,
  })
}

export const openapiCommand: Command = {
  operations: [],
  usage: '',
  summary: 'Print the description of the API (OpenAPI), as the server gives it',
  details: '  ./zoetrope openapi > openapi.json',
  positionals: [],
  options: {},
  run: async ({ apiBase, output }) => {
    output.text(await fetchDocument(apiBase))
  },
}
