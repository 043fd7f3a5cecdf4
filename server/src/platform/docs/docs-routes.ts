import { readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../http/http-server.ts'
import { ownPageHeaders } from '../http/responses/page-headers.ts'
import { etagOf, namesEtag } from '../http/responses/etag.ts'
import { documentPage, missingPage, searchPage } from './page-layout.ts'
import { readDocumentation, type Documentation } from './read-documentation.ts'

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
]

interface Loaded {
  readonly documentation: Documentation
  readonly styles: string
  readonly script: string
  /** Part of the script and style URLs, so that browsers can cache both permanently. */
  readonly version: string
}

const load = async (publicUrl: string): Promise<Loaded> => {
  const asset = (name: string): Promise<string> =>
    readFile(new URL(`assets/${name}`, import.meta.url), 'utf8')
  const [documentation, styles, script] = await Promise.all([
    readDocumentation(publicUrl),
    asset('docs.css'),
    asset('docs.js'),
  ])
  return { documentation, styles, script, version: etagOf(styles + script).slice(1, 9) }
}

const hidden = { schema: { hide: true } }
const searchQuery = Type.Object({ q: Type.Optional(Type.String({ maxLength: 2_000 })) })

/**
 * Serves the documentation, whose pages load nothing from other hosts. The first request reads it from disk.
 */
export const registerDocsRoutes = (app: HttpServer, { publicUrl }: { readonly publicUrl: string }): void => {
  let loading: Promise<Loaded> | null = null
  const loaded = (): Promise<Loaded> => {
    loading ??= load(publicUrl).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  const asHtml = (reply: FastifyReply): FastifyReply =>
    reply.headers(ownPageHeaders(policy)).header('Cache-Control', 'no-cache')

  const sendPage = async (
    slug: string,
    wanted: string | undefined,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { documentation, version } = await loaded()
    const page = documentation.pages.get(slug)
    if (page === undefined) return asHtml(reply).code(404).send(missingPage(documentation, version))
    const html = documentPage(documentation, version, page)
    const etag = etagOf(html)
    asHtml(reply).header('ETag', etag)
    return namesEtag(wanted, etag) ? reply.code(304).send() : reply.send(html)
  }

  app.get('/docs', hidden, async (request, reply) => sendPage('', request.headers['if-none-match'], reply))

  const params = Type.Object({ '*': Type.String() })
  app.get('/docs/*', { schema: { hide: true, params } }, async (request, reply) =>
    sendPage(request.params['*'], request.headers['if-none-match'], reply),
  )

  app.get('/docs/search', { schema: { hide: true, querystring: searchQuery } }, async (request, reply) => {
    const { q = '' } = request.query
    const { documentation, version } = await loaded()
    return asHtml(reply).send(searchPage(documentation, version, q))
  })

  const assets = { styles: 'text/css; charset=utf-8', script: 'text/javascript; charset=utf-8' } as const
  const sendAsset = async (name: keyof typeof assets, reply: FastifyReply): Promise<FastifyReply> => {
    const { [name]: text } = await loaded()
    return reply
      .header('Content-Type', assets[name])
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .send(text)
  }
  app.get('/docs/docs.css', hidden, async (_request, reply) => sendAsset('styles', reply))
  app.get('/docs/docs.js', hidden, async (_request, reply) => sendAsset('script', reply))
}
