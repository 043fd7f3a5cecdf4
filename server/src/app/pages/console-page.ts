import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { createSessionCookies } from '../../accounts/identity/authentication/session-cookie.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { ownPageHeaders } from '../../platform/http/responses/page-headers.ts'
import { takesGzip } from '../../platform/http/responses/takes-gzip.ts'
import { Problem } from '../../platform/base/problem.ts'

const folder = new URL('../../../../console/dist/', import.meta.url)
const zip = promisify(gzip)

/**
 * Allows scripts and requests of this server only, style sheets of this server, and styles with the nonce of
 * the response.
 */
const policyOf = (nonce: string): readonly string[] => [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' 'nonce-${nonce}'`,
  // User-defined styles on elements use attributes, which cannot carry a nonce. They load nothing.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
]

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
}

interface Asset {
  readonly plain: Buffer
  readonly gzipped: Buffer
  readonly type: string
}

/** File names contain hashes, so the content of a name never changes. */
const createAssets = () => {
  const loaded = new Map<string, Asset>()
  return async (name: string): Promise<Asset> => {
    const type = types[extname(name)]
    const known = loaded.get(name)
    if (known !== undefined) return known
    if (type === undefined || !/^[\w.-]+$/.test(name)) throw nothingHere()
    const plain = await readFile(new URL(`assets/${name}`, folder)).catch(() => {
      throw nothingHere()
    })
    const asset = { plain, gzipped: await zip(plain), type }
    loaded.set(name, asset)
    return asset
  }
}

const nothingHere = (): Problem => new Problem('console_file_not_found')

/** The frame of the screens, which the page shows until its scripts have loaded. */
const frame = /<!-- frame:.*<!-- \/frame -->/su

export const registerConsole = async (app: HttpServer, publicUrl: string): Promise<void> => {
  const assetNamed = createAssets()
  const framed = await readFile(new URL('index.html', folder), 'utf8')
  const bare = framed.replace(frame, '')
  const cookies = createSessionCookies(publicUrl)

  const sendPage = async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const nonce = randomBytes(18).toString('base64')
    // The cookie is not checked: the frame contains nothing of the account.
    const template = cookies.sessionOf(headers.cookie) === null ? bare : framed
    return reply
      .headers(ownPageHeaders(policyOf(nonce)))
      .header('Cache-Control', 'no-cache')
      .send(template.replace('name="style-nonce" content=""', `name="style-nonce" content="${nonce}"`))
  }
  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/console/'))
  // The fragment with the token stays in the browser and survives the redirect.
  app.get('/accept', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/console/accept'))
  app.get('/console', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/console/'))
  app.get('/console/*', { schema: { hide: true } }, sendPage)
  const params = Type.Object({ name: Type.String() })
  app.get('/console/assets/:name', { schema: { hide: true, params } }, async (request, reply) => {
    const { plain, gzipped, type } = await assetNamed(request.params.name)
    const isGzipped = takesGzip(request)
    if (isGzipped) reply.header('Content-Encoding', 'gzip')
    return reply
      .header('Content-Type', type)
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Vary', 'Accept-Encoding')
      .send(isGzipped ? gzipped : plain)
  })
}
