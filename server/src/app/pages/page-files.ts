import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'

const noticeFile = new URL('../../../../NOTICE', import.meta.url)

const styles = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.6; }
body { margin: 0; }
main { max-width: 42rem; margin: 4rem auto; padding: 0 1rem; }
pre { padding: 1rem; border-radius: .5rem; background: rgb(128 128 128 / 15%); overflow-x: auto; }
`

/** A drum with slits, like the first zoetropes. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<circle cx="16" cy="16" r="15" fill="#5152cc"/>
<g stroke="#fff" stroke-width="3" stroke-linecap="round">
<path d="M16 5v5M16 22v5M5 16h5M22 16h5M8.2 8.2l3.6 3.6M20.2 20.2l3.6 3.6M23.8 8.2l-3.6 3.6M11.8 20.2l-3.6 3.6"/>
</g>
<path d="M14 12.5v7l6-3.5z" fill="#fff"/>
</svg>
`

/** Serves the files shared by server-rendered pages, and the OpenAPI document. */
export const registerPageFiles = (app: FastifyInstance): void => {
  app.get('/icon.svg', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'image/svg+xml')
      .header('Content-Security-Policy', "default-src 'none'")
      .header('Cache-Control', 'public, max-age=86400')
      .send(icon),
  )
  app.get('/page.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Content-Type', 'text/css; charset=utf-8').send(styles),
  )
  // The bundles of console and player contain code whose licences must accompany it.
  app.get('/licenses.txt', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/plain; charset=utf-8')
      .header('Cache-Control', 'public, max-age=86400')
      .send(await readFile(noticeFile)),
  )
  let openApi: { readonly body: Buffer; readonly etag: string } | undefined
  app.get('/v3/openapi.json', { schema: { hide: true } }, async (request, reply) => {
    if (openApi === undefined) {
      const body = Buffer.from(JSON.stringify(app.swagger()))
      openApi = { body, etag: etagOf(body) }
    }
    return sendJson(request, reply, openApi.body, openApi.etag)
  })
}
