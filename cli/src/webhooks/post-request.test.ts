import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { postRequest } from './post-request.ts'

/** Behaviour of the receiver after it has sent its status. */
const endings: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'ends as it should': (response) => response.end('ok'),
  'breaks off': (response) => response.write('half', () => response.destroy()),
  'never ends': (response) => response.write('begun'),
}

const receiver = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(202)
    response.flushHeaders()
    endings[decodeURIComponent((request.url ?? '').slice(1))]?.(response)
  })
})

beforeAll(() => once(receiver.listen(0, '127.0.0.1'), 'listening'))

afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await once(receiver, 'close')
})

test.each(Object.keys(endings))('a response whose body %s counts by its status', async (ending) => {
  const { port } = receiver.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/${encodeURIComponent(ending)}`
  expect(await postRequest({ url, headers: {}, body: Buffer.from('[]') })).toMatchObject({
    status: 202,
    error: null,
  })
})
