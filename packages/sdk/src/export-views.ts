import { bytesOf } from './bytes-of.ts'
import { queryString, type HttpClient } from './http-client.ts'
import { linesOf } from './lines-of.ts'
import type { Listed, Query } from './operation-types.ts'

export interface ExportOptions {
  readonly signal?: AbortSignal
}

/** Returns the body of `exportViews`. It fails with ConnectionError when the export breaks off. */
export const exportViews = (
  http: HttpClient,
  query: Query<'exportViews'> = {},
  { signal }: ExportOptions = {},
): Promise<ReadableStream<Uint8Array>> =>
  http.open(`/analytics/sessions/export${queryString(query)}`, {
    headers: { Accept: query.format === 'csv' ? 'text/csv' : 'application/x-ndjson' },
    ...(signal && { signal }),
  })

export async function* streamViews(
  http: HttpClient,
  query: Query<'exportViews'> = {},
  options: ExportOptions = {},
): AsyncGenerator<Listed<'listViews', 'Views'>> {
  const body = await exportViews(http, { ...query, format: 'ndjson' }, options)
  for await (const line of linesOf(bytesOf(body))) yield JSON.parse(line) as Listed<'listViews', 'Views'>
}
