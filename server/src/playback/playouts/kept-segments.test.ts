import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { request, startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { hasNginx, startDocumentedNginx } from '../test-support/documented-nginx.ts'
import { makePlayableFile } from '../test-support/playable-file.ts'

describe('segments cached by the documented nginx configuration', () => {
  let server: TestServer
  let nginx: Awaited<ReturnType<typeof startDocumentedNginx>> | undefined

  beforeAll(async () => {
    if (!hasNginx()) return
    server = await startTestServer()
    nginx = await startDocumentedNginx(server, { keepsSegments: true })
  })
  afterAll(async () => {
    await nginx?.stop()
    await server?.stop()
  })
  beforeEach((context) => {
    if (nginx === undefined) context.skip('there is no nginx on this machine: apt-get install nginx')
  })

  const get = (path: string) => request(`${nginx?.url}${path}`, 'GET')

  /** Uses `http`, because `fetch` would normalize the path. */
  const statusOfPathAsWritten = async (path: string): Promise<number | undefined> => {
    const { hostname, port } = new URL(nginx?.url ?? '')
    const asked = httpRequest({ hostname, port, path }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    await once(response, 'end')
    return response.statusCode
  }

  test('are shared by all viewers whatever the query, until the file is unpublished', async () => {
    const file = await makePlayableFile(server)
    const segment = `${file.path}/${file.renditionId}/0.m4s`
    const first = await get(segment)
    expect(first).toMatchObject({ status: 200, body: file.segments[0]?.toString() })
    const again = await get(`${segment}?CMCD=bl%3D2000`)
    // The request id shows that the answer is the cached one.
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'))
    await server.call('PUT', `/projects/${file.projectId}/files/${file.id}/metadata`, {
      body: { ReleaseStatus: 'unpublished' },
    })
    await waitFor(
      () => get(segment),
      ({ status }) => status === 404,
    )
  })

  test.each(['/./0', '//0', '/x/../0', '/%2e/0'])(
    'stay available when a client requests them as %s',
    async (trick) => {
      const file = await makePlayableFile(server)
      const folder = `${file.path}/${file.renditionId}`
      expect(await statusOfPathAsWritten(`${folder}${trick}.m4s`)).toBe(404)
      expect((await get(`${folder}/0.m4s`)).status).toBe(200)
    },
  )
})
