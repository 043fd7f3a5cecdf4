import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../http/http-server.ts'
import { ownPageHeaders } from '../http/responses/page-headers.ts'
import { etagOf, namesEtag } from '../http/responses/etag.ts'
import { documentPage, missingPage, searchPage, type PageFrame } from './page-layout.ts'
import type { Documentation } from './read-documentation.ts'

const assets = {
  'content.css': 'text/css; charset=utf-8',
  'docs.css': 'text/css; charset=utf-8',
  'tokens.css': 'text/css; charset=utf-8',
  'code.js': 'text/javascript; charset=utf-8',
  'contents.js': 'text/javascript; charset=utf-8',
  'search.js': 'text/javascript; charset=utf-8',
} as const

type AssetName = keyof typeof assets
const assetNames = Object.keys(assets) as AssetName[]

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
]

/** The font of the console, from its package. */
const fontFile = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
)

interface Loaded {
  readonly documentation: Documentation
  readonly font: Buffer
  readonly assets: ReadonlyMap<AssetName, string>
  readonly frame: PageFrame
}

const load = async ({ publicUrl, editUrl }: Options): Promise<Loaded> => {
  // Imported on first use: parsing Markdown and colouring code would take 50 ms of each start.
  const { readDocumentation } = await import('./read-documentation.ts')
  const readAsset = async (name: AssetName): Promise<[AssetName, string]> => [
    name,
    await readFile(new URL(`assets/${name}`, import.meta.url), 'utf8'),
  ]
  const [documentation, font, ...texts] = await Promise.all([
    readDocumentation(publicUrl),
    readFile(fontFile),
    ...assetNames.map(readAsset),
  ])
  const version = etagOf(texts.map(([, text]) => text).join('')).slice(1, 9)
  return { documentation, font, assets: new Map(texts), frame: { documentation, version, editUrl } }
}

const hidden = { schema: { hide: true } }
const searchQuery = Type.Object({ q: Type.Optional(Type.String({ maxLength: 2_000 })) })

interface Options {
  readonly publicUrl: string
  /** Where readers can edit a page, without its path in the repository. */
  readonly editUrl: string | null
}

const markdownSuffix = /\.md$/

/**
 * Serves the documentation, whose pages load nothing from other hosts. The first request reads it from disk.
 */
export const registerDocsRoutes = (app: HttpServer, options: Options): void => {
  let loading: Promise<Loaded> | null = null
  const loaded = (): Promise<Loaded> => {
    loading ??= load(options).catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }

  const asHtml = (reply: FastifyReply): FastifyReply =>
    reply.headers(ownPageHeaders(policy)).header('Cache-Control', 'no-cache')

  const sendText = (text: string, wanted: string | undefined, reply: FastifyReply): FastifyReply => {
    const etag = etagOf(text)
    reply.header('ETag', etag)
    return namesEtag(wanted, etag) ? reply.code(304).send() : reply.send(text)
  }

  const sendPage = async (
    slug: string,
    wanted: string | undefined,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const { documentation, frame } = await loaded()
    const page = documentation.pages.get(slug.replace(markdownSuffix, ''))
    if (page === undefined) return asHtml(reply).code(404).send(missingPage(frame))
    if (!markdownSuffix.test(slug)) return sendText(documentPage(frame, page), wanted, asHtml(reply))
    reply.header('Content-Type', 'text/markdown; charset=utf-8').header('Cache-Control', 'no-cache')
    return sendText(page.markdown, wanted, reply)
  }

  app.get('/docs', hidden, async (request, reply) => sendPage('', request.headers['if-none-match'], reply))
  app.get('/docs.md', hidden, async (request, reply) =>
    sendPage('.md', request.headers['if-none-match'], reply),
  )

  const params = Type.Object({ '*': Type.String() })
  app.get('/docs/*', { schema: { hide: true, params } }, async (request, reply) =>
    sendPage(request.params['*'], request.headers['if-none-match'], reply),
  )

  app.get('/llms.txt', hidden, async (request, reply) => {
    const { documentation } = await loaded()
    reply.header('Content-Type', 'text/plain; charset=utf-8').header('Cache-Control', 'no-cache')
    return sendText(documentation.llms, request.headers['if-none-match'], reply)
  })

  app.get('/docs/search', { schema: { hide: true, querystring: searchQuery } }, async (request, reply) => {
    const { q = '' } = request.query
    const { frame } = await loaded()
    return asHtml(reply).send(searchPage(frame, q))
  })

  const pictureParams = Type.Object({ name: Type.String() })
  app.get(
    '/docs/pictures/:name',
    { schema: { hide: true, params: pictureParams } },
    async (request, reply) => {
      const { documentation, frame } = await loaded()
      const picture = documentation.pictures.get(request.params.name)
      if (picture === undefined) return asHtml(reply).code(404).send(missingPage(frame))
      reply
        .header('Content-Type', 'image/svg+xml')
        .header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'")
        .header('Cache-Control', 'no-cache')
      return sendText(picture.svg, request.headers['if-none-match'], reply)
    },
  )

  const forever = 'public, max-age=31536000, immutable'
  app.get('/docs/inter.woff2', hidden, async (_request, reply) => {
    const { font } = await loaded()
    return reply.header('Content-Type', 'font/woff2').header('Cache-Control', forever).send(font)
  })

  for (const name of assetNames)
    app.get(`/docs/${name}`, hidden, async (_request, reply) => {
      const { assets: texts } = await loaded()
      return reply
        .header('Content-Type', assets[name])

        .header('Cache-Control', forever)
        .send(texts.get(name))
    })
}
