import type { FastifyInstance } from 'fastify'
import type { Services } from './services.ts'

const page = (publicUrl: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Zoetrope</title>
<link rel="stylesheet" href="/start.css">
</head>
<body>
<main>
<h1>Zoetrope is running</h1>
<p>Your back end talks to the REST API with the API key that the first start gave you:</p>
<pre><code>curl -H "Authorization: Bearer $ZOETROPE_API_KEY" ${publicUrl}/v3/projects</code></pre>
<ul>
<li>API base: <code>${publicUrl}/v3</code></li>
<li>Description of the API: <a href="/v3/openapi.json">OpenAPI 3.1</a></li>
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

/** What a browser finds at the root: that it runs, and how to go on. */
export const registerStartPage = (app: FastifyInstance, { config }: Services): void => {
  const html = page(config.publicUrl.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`))
  app.get('/', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Content-Type', 'text/html; charset=utf-8')
      .header('Content-Security-Policy', "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'")
      .send(html),
  )
  app.get('/start.css', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Content-Type', 'text/css; charset=utf-8').send(styles),
  )
  app.get('/v3/openapi.json', { schema: { hide: true } }, async (_request, reply) =>
    reply.header('Content-Type', 'application/json; charset=utf-8').send(app.swagger()),
  )
}
