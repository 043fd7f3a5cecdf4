import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Sends the player from a segment of an evicted rendition to that of the rendition in its place. What caches hold under a URL
 * thus never changes.
 */
export const sendToSuccessor = (
  { raw }: FastifyRequest,
  reply: FastifyReply,
  { formerId, successorId }: { readonly formerId: number; readonly successorId: number },
): FastifyReply => {
  const [path = '', query] = (raw.url ?? '').split('?', 2)
  const former = `/${formerId}/`
  const rest = path.slice(path.lastIndexOf(former) + former.length)
  const up = '../'.repeat(rest.split('/').length)
  return reply
    .code(307)
    .header('Location', `${up}${successorId}/${rest}${query === undefined ? '' : `?${query}`}`)
    .header('Cache-Control', 'no-store')
    .send()
}
