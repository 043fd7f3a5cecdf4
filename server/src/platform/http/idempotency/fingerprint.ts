import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/**
 * Bodies of other types are files: they are streamed, too long for one transaction and unknown before their
 * last byte.
 */
export const isStreamed = ({ headers }: FastifyRequest): boolean => {
  const type = headers['content-type']
  return type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type)
}

/** Omits the parameters, because the boundary of a form differs in each attempt. */
const mediaType = (type: string | undefined): string => (type ?? '').split(';', 1)[0]?.toLowerCase() ?? ''

/** A tus creation says in its headers what others say in their bodies. */
const tusHeaders = ['upload-length', 'upload-concat', 'upload-metadata']

/**
 * Hashes what identifies a request: method, address and body. For a streamed body it uses the headers about
 * the body.
 */
export const fingerprintOf = (request: FastifyRequest): Buffer => {
  const { headers } = request
  const body = isStreamed(request)
    ? [mediaType(headers['content-type']), headers['content-length'], headers['content-disposition']]
    : (request.body ?? null)
  return createHash('sha256')
    .update(
      JSON.stringify([
        request.method,
        request.url,
        body,
        ...tusHeaders.flatMap((name) => headers[name] ?? []),
      ]),
    )
    .digest()
}
