import { ApiError, ConnectionError } from '@zoetrope/sdk'
import type { Command } from './command.ts'

const fetchDocument = async (apiBase: string): Promise<string> => {
  const response = await fetch(`${apiBase}/openapi.json`).catch((error: unknown) => {
    throw new ConnectionError(
      `Cannot reach ${new URL(apiBase).origin}. Check that Zoetrope is running there.`,
      {
        cause: error,
      },
    )
  })
  if (response.ok) return response.text()
  throw new ApiError({
    status: response.status,
    message: `${apiBase}/openapi.json returned ${response.status}.`,
    type: 'unknown',
    reason: 'unknown',
    params: {},
    details: [],
    requestId: response.headers.get('x-request-id'),
    retryAfterSeconds: null,
  })
}

export const openapiCommand: Command = {
  operations: [],
  usage: '',
  summary: 'Print the OpenAPI description of the server',
  details: '  ./zoetrope openapi > openapi.json',
  positionals: [],
  options: {},
  run: async ({ apiBase, output }) => {
    output.text(await fetchDocument(apiBase))
  },
}
