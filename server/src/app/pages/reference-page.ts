import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { ownPageHeaders } from '../../platform/http/responses/page-headers.ts'
import { takesGzip } from '../../platform/http/responses/takes-gzip.ts'
import type { ReferenceScript } from './reference-script.ts'

const title = 'Zoetrope API reference'

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/icon.svg">
</head>
<body>
<div id="app"></div>
<script src="/reference/scalar.js"></script>
<script src="/reference/show.js"></script>
</body>
</html>
`

/**
 * Disables everything that requests other hosts: fonts, proxy, telemetry, the assistant. Keys are not stored
 * in the browser.
 */
const configuration = {
  url: '/v3/openapi.json',
  pageTitle: title,
  metaData: { title },
  favicon: '/icon.svg',
  authentication: { preferredSecurityScheme: 'apiKey', securitySchemes: { apiKey: { token: '' } } },
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/** Requests go to the origin of the page, whichever name the user reached it by. */
const show = `Scalar.createApiReference('#app', {
  ...${JSON.stringify(configuration)},
  servers: [{ url: location.origin, description: 'This installation' }],
})
`

/**
 * Allows scripts and requests of this server only. Scalar uses inline styles, which cannot leak data because
 * no other host may be loaded.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]

interface Script {
  readonly plain: Buffer
  readonly gzipped: Buffer
}

const loadScript = async (): Promise<Script> => {
  const worker = new Worker(new URL('./reference-script.ts', import.meta.url))
  const [script] = (await once(worker, 'message')) as [ReferenceScript]
  return { plain: Buffer.from(script.plain), gzipped: Buffer.from(script.gzipped) }
}

export const registerReferencePage = (app: FastifyInstance): void => {
  let script: Promise<Script> | null = null

  app.get('/reference', { schema: { hide: true } }, async (_request, reply) =>
    reply.headers(ownPageHeaders(policy)).header('Cache-Control', 'no-cache').send(page),
  )

  app.get('/reference/show.js', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/javascript; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(show),
  )

  app.get('/reference/scalar.js', { schema: { hide: true } }, async (request, reply) => {
    script ??= loadScript().catch((error: unknown) => {
      script = null
      throw error
    })
    const { plain, gzipped } = await script
    const isGzipped = takesGzip(request)
    if (isGzipped) reply.header('Content-Encoding', 'gzip')
    return reply
      .header('Content-Type', 'text/javascript; charset=utf-8')
      .header('Cache-Control', 'public, max-age=86400')
      .header('Vary', 'Accept-Encoding')
      .send(isGzipped ? gzipped : plain)
  })
}
