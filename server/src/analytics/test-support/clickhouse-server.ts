import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

export interface Statement {
  readonly text: string
  /** `param_…` of the request. */
  readonly params: Readonly<Record<string, string>>
  readonly authorization: string | undefined
}

export interface ClickHouseServer {
  readonly url: string
  readonly statements: Statement[]
  /** Inserted rows, without those of repeated tokens. */
  readonly rows: Record<string, unknown>[]
  /** Answers of the next queries, as rows. */
  readonly answers: object[][]
  /** `refuse` answers 500; `cut` takes the rows and closes the connection without an answer. */
  mode: 'answer' | 'refuse' | 'cut'
  readonly stop: () => Promise<void>
}

/**
 * Fake ClickHouse server for `@clickhouse/client`. It stores rows of JSONEachRow and ignores repeated deduplication tokens. It
 * does not understand SQL.
 */
export const startClickHouseServer = async (): Promise<ClickHouseServer> => {
  const tokens = new Set<string>()
  const state: Omit<ClickHouseServer, 'url' | 'stop'> = {
    statements: [],
    rows: [],
    answers: [],
    mode: 'answer',
  }
  const server = createServer((request, response) => {
    void (async () => {
      const url = new URL(request.url ?? '/', 'http://clickhouse')
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const raw = Buffer.concat(chunks)
      const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString()
      const query = url.searchParams.get('query')
      if (state.mode === 'refuse') {
        response
          .writeHead(500, { 'X-ClickHouse-Exception-Code': '242' })
          .end('Code: 242. Table is in readonly mode')
        return
      }
      state.statements.push({
        text: query ?? body,
        params: Object.fromEntries(
          [...url.searchParams].flatMap(([name, value]) =>
            name.startsWith('param_') ? [[name.slice(6), value] as const] : [],
          ),
        ),
        authorization: request.headers.authorization,
      })
      if (query !== null && /^insert into/i.test(query)) {
        const token = url.searchParams.get('insert_deduplication_token') ?? ''
        if (!tokens.has(token))
          state.rows.push(
            ...body
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as Record<string, unknown>),
          )
        tokens.add(token)
        if (state.mode === 'cut') return void request.socket.destroy()
        response.writeHead(200).end()
        return
      }
      const rows = /^\s*select/i.test(query ?? body) ? (state.answers.shift() ?? []) : []
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
      response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(state, {
    url: `http://writer:secret@127.0.0.1:${(server.address() as AddressInfo).port}/zoetrope`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
