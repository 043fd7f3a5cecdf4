import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { ApiError, ConnectionError, TimeoutError, Zoetrope } from '../src/index.ts'

const withServer = async (
  answer: RequestListener,
  work: (client: Zoetrope) => Promise<void>,
): Promise<void> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await work(new Zoetrope({ baseUrl, apiKey: 'key', maxRetries: 0 }))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** Sends one record of a stream and then breaks the connection. */
const breakAfterOne: RequestListener = (_request, response) => {
  response.write('{"Id":1}\n', () => setTimeout(() => response.destroy(), 20))
}

const idsOf = async (records: AsyncIterable<{ Id: number }>): Promise<{ ids: number[]; error: unknown }> => {
  const ids: number[] = []
  try {
    for await (const { Id } of records) ids.push(Id)
  } catch (error) {
    return { ids, error }
  }
  return { ids, error: null }
}

test.each([
  ['a page of a proxy', '<html>Please sign in</html>'],
  ['an empty body', ''],
  ['JSON without a record', 'null'],
])('a successful response with %s throws ApiError', async (_name, body) => {
  await withServer(
    (_request, response) => response.writeHead(200, { 'X-Request-Id': 'r-1' }).end(body),
    async (client) => {
      const error: unknown = await client.projects.get(1).catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({
        status: 200,
        requestId: 'r-1',
        message: 'The server answered 200 OK, which is not from the API.',
      })
    },
  )
})

test('a body that does not end in time throws TimeoutError, or the reason of the signal', async () => {
  await withServer(
    (_request, response) => response.write('{"Id":'),
    async (client) => {
      await expect(client.projects.get(1, { timeoutMs: 100 })).rejects.toThrow(TimeoutError)
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('The user left.')), 100)
      await expect(client.projects.get(1, { signal: controller.signal })).rejects.toThrow('The user left.')
    },
  )
})

test('a stream whose connection breaks throws ConnectionError after the records that arrived', async () => {
  await withServer(breakAfterOne, async (client) => {
    for (const records of [client.analytics.streamViews(), client.audit.stream()]) {
      const { ids, error } = await idsOf(records)
      expect(ids).toEqual([1])
      expect(error).toBeInstanceOf(ConnectionError)
    }
    const body = await client.analytics.exportViews({ format: 'csv' })
    await expect(new Response(body).text()).rejects.toThrow(ConnectionError)
  })
})

test('a stream that is aborted throws the reason of the signal', async () => {
  await withServer(
    (_request, response) => response.write('{"Id":1}\n'),
    async (client) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new Error('The user left.')), 100)
      const { ids, error } = await idsOf(client.analytics.streamViews({}, { signal: controller.signal }))
      expect(ids).toEqual([1])
      expect(error).toMatchObject({ message: 'The user left.' })
    },
  )
})
