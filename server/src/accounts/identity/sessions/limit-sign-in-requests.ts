import { LRUCache } from 'lru-cache'
import type { Database } from '../../../platform/db/database.ts'
import { sendProblem, toProblem } from '../../../platform/http/error-envelope.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { networkOf } from '../../../platform/http/limits/refusals.ts'
import { isOwnPage } from '../authentication/check-origin.ts'
import { tooManyAttempts } from './require-attempt.ts'
import { bucketsOfAddress, takeAttempt } from './sign-in-attempts.ts'

/** The longest valid body, with a password of 200 escaped characters, is shorter. */
const bodyLimit = 4_096
const maxBodyValues = 20

/**
 * Limits the unauthenticated routes of this scope: small bodies, and every refused request counts like a wrong
 * password of its address. A handler counts wrong passwords itself, and answers them with 401.
 */
export const limitSignInRequests = (
  app: HttpServer,
  {
    database,
    publicUrl,
    signInsPerMinute,
  }: { readonly database: Database; readonly publicUrl: string; readonly signInsPerMinute: number },
): void => {
  /** Spares the database during a flood. */
  const waitingUntilMs = new LRUCache<string, number>({ max: 10_000 })

  app.addHook('onRoute', (route) => {
    route.bodyLimit = bodyLimit
    route.config = { ...route.config, maxBodyValues }
  })

  app.setErrorHandler(async (error, request, reply) => {
    const problem = toProblem(error, request)
    const isCounted = problem.status < 500 && problem.status !== 401 && problem.status !== 429
    if (!isCounted) return sendProblem(request, reply, problem)
    const kind = isOwnPage(request, publicUrl) ? 'address' : 'other site'
    const name = `${kind} ${networkOf(request.ip)}`
    const leftMs = (waitingUntilMs.get(name) ?? 0) - Date.now()
    const seconds =
      leftMs > 0
        ? Math.ceil(leftMs / 1_000)
        : await takeAttempt(
            database,
            { shared: bucketsOfAddress(request.ip, signInsPerMinute, kind), own: null },
            new Date(),
          )
    if (seconds === 0) return sendProblem(request, reply, problem)
    if (leftMs <= 0) waitingUntilMs.set(name, Date.now() + seconds * 1_000)
    return sendProblem(request, reply, tooManyAttempts(seconds))
  })
}
