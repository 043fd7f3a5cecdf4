import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

/** Bodies of other types are files: they are taken as streams, too long for one transaction and unknown before their last byte. */
export const isStreamed = ({ headers }: FastifyRequest): boolean => {
  const type = headers['content-type']
  return type !== undefined && !/^application\/json\s*(?:;|$)/i.test(type)
}

/** Without its parameters: the boundary of a form is another one at each try. */
const mediaType = (type: string | undefined): string => (type ?? '').split(';', 1)[0]?.toLowerCase() ?? ''

/** What makes two requests the same: method, address and body; of a streamed one what its headers say of the body. */
export const fingerprintOf = (request: FastifyRequest): Buffer => {
  const { headers } = request
  const body = isStreamed(request)
    ? [mediaType(headers['content-type']), headers['content-length'], headers['content-disposition']]
    : (request.body ?? null)
  return createHash('sha256')
    .update(JSON.stringify([request.method, request.url, body]))
    .digest()
}
