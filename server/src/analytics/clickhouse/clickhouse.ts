import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { Problem } from '../../platform/base/problem.ts'

export interface ClickHouse {
  /** `token` makes ClickHouse ignore a batch that it has already. */
  readonly insert: (rows: readonly object[], token: string) => Promise<void>
  readonly query: <Row>(text: string, params: Readonly<Record<string, unknown>>) => Promise<Row[]>
  readonly command: (text: string, params: Readonly<Record<string, unknown>>) => Promise<void>
  readonly close: () => Promise<void>
}

const timeoutMs = 30_000
const table = 'views'

const failed = (cause: unknown): Problem =>
  new Problem('analytics_engine_failed', {}, { cause, headers: { 'Retry-After': '5' } })

/** `url` has the user, the password and the database: `https://user:password@host:8443/zoetrope`. */
export const openClickHouse = (url: string): ClickHouse => {
  const client = createClient({
    url,
    request_timeout: timeoutMs,
    application: 'zoetrope',
    // The callers log what fails, as JSON.
    log: { level: ClickHouseLogLevel.OFF },
  })
  return {
    insert: async (rows, token) => {
      await client.insert({
        table,
        values: [...rows],
        format: 'JSONEachRow',
        clickhouse_settings: {
          insert_deduplication_token: token,
          wait_end_of_query: 1,
          // Tables that were created for an older release lack the latest columns.
          input_format_skip_unknown_fields: 1,
        },
      })
    },
    query: async <Row>(text: string, params: Readonly<Record<string, unknown>>) => {
      const answer = await client
        .query({ query: text, query_params: { ...params }, format: 'JSONEachRow' })
        .catch((error: unknown) => {
          throw failed(error)
        })
      return answer.json<Row>()
    },
    command: async (text, params) => {
      await client.command({ query: text, query_params: { ...params } })
    },
    close: () => client.close(),
  }
}
