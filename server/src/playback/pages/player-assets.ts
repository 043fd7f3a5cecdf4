import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, namesEtag } from '../../platform/http/responses/etag.ts'
import { takesGzip } from '../../platform/http/responses/takes-gzip.ts'
import { Problem } from '../../platform/base/problem.ts'
import { corsHeaders, immutable } from '../responses/send-media.ts'

interface PlayerFile {
  readonly body: Buffer
  readonly type: string
}

/** The bundled player, read once; its URL contains its hash, so it can be cached indefinitely. */
export interface PlayerAssets {
  readonly version: string
  readonly files: ReadonlyMap<string, PlayerFile>
}

const playerFolder = new URL('../../../../player/dist/', import.meta.url)
const playerTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Throws when the player is not built; `./zoetrope up` builds it. */
export const loadPlayerAssets = async (): Promise<PlayerAssets> => {
  const files = new Map<string, PlayerFile>()
  const hash = createHash('sha256')
  for (const name of (await readdir(playerFolder)).toSorted()) {
    const type = playerTypes[extname(name)]
    if (type === undefined) continue
    const body = await readFile(new URL(name, playerFolder))
    hash.update(body)
    files.set(name, { body, type })
  }
  return { version: hash.digest('hex').slice(0, 16), files }
}

const compress = promisify(gzip)

/** One hour: other sites embed the script under a fixed URL, and it must be possible to update it. */
const scriptCache = 'public, max-age=3600'

/** Registers the player's files and `/embed.js`, which embeds the player into a page. */
export const registerPlayerAssets = (app: HttpServer, player: PlayerAssets): void => {
  // Each file is compressed once, on its first request; the engine shrinks to a third of its size.
  const compressed = new Map<string, Promise<Buffer>>()
  const compressedFile = (name: string, { body }: PlayerFile): Promise<Buffer> => {
    const made = compressed.get(name) ?? compress(body, { level: 9 })
    compressed.set(name, made)
    return made
  }

  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    cacheControl: string,
  ): Promise<FastifyReply> => {
    const file = player.files.get(name)
    if (file === undefined) throw new Problem('address_not_found')
    reply
      .headers(corsHeaders)
      .header('Content-Type', file.type)
      .header('Cache-Control', cacheControl)
      .header('Vary', 'Accept-Encoding')
    if (!takesGzip(request)) return reply.send(file.body)
    return reply.header('Content-Encoding', 'gzip').send(await compressedFile(name, file))
  }

  const params = Type.Object({ version: Type.String(), file: Type.String() })
  app.get('/player/:version/:file', { schema: { hide: true, params } }, async (request, reply) => {
    const { version, file } = request.params
    return send(request, reply, version === player.version ? file : '', immutable)
  })

  app.get('/embed.js', { schema: { hide: true } }, async (request, reply) => {
    const etag = etagOf(player.version)
    reply.header('ETag', etag)
    if (namesEtag(request.headers['if-none-match'], etag))
      return reply.code(304).header('Cache-Control', scriptCache).send()
    return send(request, reply, 'embed.js', scriptCache)
  })
}
