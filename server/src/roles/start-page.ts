import type { FastifyInstance } from 'fastify'
import type { Services } from './services.ts'

const page = (publicUrl: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zoetrope</title>
<link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/start.css">
</head>
<body>
<main>
<h1>Zoetrope is running</h1>
<p>Your back end talks to the REST API with the API key that the first start gave you:</p>
<pre><code>curl -H "Authorization: Bearer $ZOETROPE_API_KEY" ${publicUrl}/v3/projects</code></pre>
<ul>
<li>API base: <code>${publicUrl}/v3</code></li>
<li>Every call, to read and to try: <a href="/reference">API reference</a> (<a href="/v3/openapi.json">OpenAPI 3.1</a>)</li>
<li>For operators: <a href="/healthz">alive</a>, <a href="/readyz">ready</a>, <a href="/metrics">metrics</a></li>
</ul>
<p>On the machine itself, <code>./zoetrope help</code> lists the commands: projects, files, webhooks and API keys.</p>
</main>
</body>
</html>
`

const styles = `:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.6; }
body { margin: 0; }
main { max-width: 42rem; margin: 4rem auto; padding: 0 1rem; }
pre { padding: 1rem; border-radius: .5rem; background: rgb(128 128 128 / 15%); overflow-x: auto; }
`

/** A drum with slits, as the first zoetropes were. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<circle cx="16" cy="16" r="15" fill="#2b6cb0"/>
<g stroke="#fff" stroke-width="3" stroke-linecap="round">
<path d="M16 5v5M16 22v5M5 16h5M22 16h5M8.2 8.2l3.6 3.6M20.2 20.2l3.6 3.6M23.8 8.2l-3.6 3.6M11.8 20.2l-3.6 3.6"/>
</g>
<path d="M14 12.5v7l6-3.5z" fill="#fff"/>
</svg>
`

/** What a browser finds at the root: that it runs, and how to go on. */
export const registerStartPage = (app: FastifyInstance, { config }: Services): void => {
  const html = page(config.publicUrl.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`))
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header(
        'Content-Security-Policy',
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .send(html),
  )
  app.get('/icon.svg', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'image/svg+xml')
      .header('Content-Security-Policy', "default-src 'none'")
      .header('Cache-Control', 'public, max-age=86400')
      .send(icon),
  )
  app.get('/start.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Content-Type', 'text/css; charset=utf-8').send(styles),
  )
  app.get('/v3/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Content-Type', 'application/json; charset=utf-8').send(app.swagger()),
  )
}
