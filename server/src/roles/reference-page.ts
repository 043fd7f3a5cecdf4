import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'

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

/** Everything that would ask another host is off: fonts, proxy, telemetry, the assistant; and keys are not kept in the browser. */
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

/** What is tried out goes to where the page came from, by whatever name that was reached. */
const show = `Scalar.createApiReference('#app', {
  ...${JSON.stringify(configuration)},
  servers: [{ url: location.origin, description: 'This installation' }],
})
`

/** Scripts and requests of this server alone. Scalar styles its elements in place, and with nothing to load from elsewhere styles tell nobody. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  'font-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Script {
  readonly plain: Buffer
  readonly gzipped: Buffer
}

/** Four megabytes: loaded when somebody first asks for it. The package gives its script away by its own route alone. */
const loadScript = async (): Promise<Script> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shell = Fastify()
  await shell.register(scalar, { routePrefix: '/', configuration: { url: configuration.url } })
  const { rawPayload } = await shell.inject('/js/scalar.js')
  await shell.close()
  return { plain: rawPayload, gzipped: await promisify(gzip)(rawPayload) }
}

/** The API, readable and to be tried out, in the browser. */
export const registerReferencePage = (app: FastifyInstance): void => {
  let script: Promise<Script> | null = null

  app.get('/reference', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', policy)
      .header('Referrer-Policy', 'no-referrer')
      .header('Cache-Control', 'no-cache')
      .send(page),
  )

  app.get('/reference/show.js', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/javascript; charset=utf-8')
      .header('Cache-Control', 'no-cache')
      .send(show),
  )

  app.get('/reference/scalar.js', { schema: { hide: true } }, async (request, reply) => {
    script ??= loadScript()
    const { plain, gzipped } = await script
    const isGzipped = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    if (isGzipped) reply.header('Content-Encoding', 'gzip')
    return reply
      .header('Content-Type', 'text/javascript; charset=utf-8')
      .header('Cache-Control', 'public, max-age=86400')
      .header('Vary', 'Accept-Encoding')
      .send(isGzipped ? gzipped : plain)
  })
}
