import type { FastifyInstance, preParsingHookHandler } from 'fastify'
import { Problem } from '../../base/problem.ts'

export const jsonTypes = /^application\/json(?:\s*;|$)/i

/**
 * Limits the time for the whole body, however steadily it arrives: uploads may take hours, a record may not.
 * Applies to every route with a JSON body.
 */
export const limitJsonBodies = (app: FastifyInstance, deadlineMs: number): void => {
  const watch: preParsingHookHandler = (request, reply, payload, done) => {
    if (request.raw.complete || !jsonTypes.test(request.headers['content-type'] ?? '')) {
      done(null, payload)
      return
    }
    const timer = setTimeout(() => {
      // The body parser answers with this error. It no longer listens when the body was refused before.
      const problem = new Problem('body_timed_out', { seconds: deadlineMs / 1_000 })
      reply.header('Connection', 'close')
      if (payload.listenerCount('error') > 0) payload.emit('error', problem)
      else request.raw.destroy()
    }, deadlineMs)
    const clear = (): void => clearTimeout(timer)
    payload.once('end', clear).once('close', clear)
    done(null, payload)
  }
  app.addHook('onRoute', (route) => {
    if (route.method === 'GET' || route.method === 'HEAD') return
    route.preParsing = [...[route.preParsing ?? []].flat(), watch]
  })
}
