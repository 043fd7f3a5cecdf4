import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestServer } from '../../../../test/support/test-server.ts'

export interface NodeRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { readonly ProjectId: number } & Record<string, unknown>
}

export interface FakeNode {
  readonly id: string
  readonly requests: NodeRequest[]
  /**
   * Runs the work of a live node before the answer, and returns the answer. With null the request stays
   * unanswered.
   */
  answer: (request: NodeRequest) => Promise<{ status: number; body: unknown } | null>
  readonly stop: () => Promise<void>
}

/** Starts a control server in place of a live node, and inserts the row of the node. */
export const startFakeNode = async (server: TestServer): Promise<FakeNode> => {
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sent: NodeRequest = {
      path: request.url ?? '',
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    }
    node.requests.push(sent)
    const answer = await node.answer(sent)
    if (answer === null) return
    response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer.body))
  }
  const http = createServer((request, response) => void respond(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const node: FakeNode = {
    id: crypto.randomUUID(),
    requests: [],
    answer: async () => ({ status: 200, body: {} }),
    stop: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  await server.services.database.sql`
    insert into live_nodes (id, url, disk) values (${node.id}, ${`http://127.0.0.1:${port}`}, 'none')`
  return node
}

export const putOnline = async (server: TestServer, node: FakeNode, projectId: number): Promise<void> => {
  await server.call('GET', `/projects/${projectId}/live/ingest`)
  await server.services.database.sql`
    with broadcast as (
      insert into live_broadcasts (account_id, project_id, online_at, publisher_address, publisher_encoder)
      select account_id, project_id, '2026-03-01T12:00:00Z', '192.0.2.7', 'test' from live_streams
      where project_id = ${projectId}
      returning id
    )
    update live_streams set state = 'online', node_id = ${node.id}, broadcast_id = (select id from broadcast)
    where project_id = ${projectId}`
}
