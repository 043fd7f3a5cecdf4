import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runForAccount } from '../kernel/db/account-scope.ts'
import { Problem } from '../kernel/problem.ts'
import { directHook } from './direct-hook.ts'
import type { BudgetKind } from './limits/budget-store.ts'

/** Who a request is; made by the identity slice, which this shell does not know. */
export interface Principal {
  readonly accountId: number
  readonly userId: number
  /** Null where a person is signed in with a session cookie. */
  readonly apiKeyId: string | null
  /** Null where the request carries an API key. */
  readonly sessionId: string | null
  /** In the account; in one project, where the user may have another role; or in at least one of all these. */
  readonly can: (permission: Permission, projectId?: number | 'somewhere') => boolean
  /** Whether a new key of this principal may have these scopes: never more than its own. */
  readonly canGrant: (scopes: readonly string[]) => boolean
  /** The projects that the key is restricted to; null = all of the account. */
  readonly projectIds: readonly number[] | null
}

/** Whose requests are counted and remembered together: those of one API key, or of one signed-in person. */
export const callerOf = ({ apiKeyId, userId }: Principal): string => apiKeyId ?? `user ${userId}`

/** `resource:action`, the vocabulary of scopes. */
export type Permission =
  | 'projects:read'
  | 'projects:write'
  | 'files:read'
  | 'files:upload'
  | 'files:write'
  | 'files:publish'
  | 'files:delete'
  | 'files:write-own'
  | 'live:read'
  | 'live:control'
  | 'live:keys'
  | 'playlists:read'
  | 'playlists:write'
  | 'catalog:read'
  | 'catalog:write'
  | 'events:read'
  | 'users:read'
  | 'users:write'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'partners:read'
  | 'partners:write'
  | 'keys:read'
  | 'keys:write'
  | 'audit:read'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
  interface FastifyContextConfig {
    /** What the principal must be allowed to do; every route under /v3 names it, or says that any live key will do. */
    permission?: Permission | 'any-key'
    /** The record, not the path, says which project it is of: the route itself asks `can` with that one. */
    isProjectInRecord?: boolean
    /** It waits for others to see what it has written: an Idempotency-Key holds no transaction open over it. */
    isLong?: boolean
    /** The rate limit that counts it; by default its method says whether it is a read or a write. */
    budget?: BudgetKind
  }
}

/** At once where the token is known, as nearly always. A 'look' keeps no session from ending for want of use. */
export type Authenticate = (request: FastifyRequest, use?: 'use' | 'look') => Principal | Promise<Principal>

export const unauthorized = (
  message: string,
  code: 'unauthorized' | 'key_expired' = 'unauthorized',
): Problem => new Problem(code, message, { headers: { 'WWW-Authenticate': 'Bearer realm="Zoetrope"' } })

/** Throws 'forbidden' where the principal may not do this; any key may do what asks for no permission. */
export const checkAllows = (
  principal: Principal,
  permission: Permission | 'any-key' | undefined,
  projectId?: number | 'somewhere',
): void => {
  if (permission === undefined || permission === 'any-key' || principal.can(permission, projectId)) return
  const needed =
    permission === 'files:write-own'
      ? 'files:write, or files:write-own for files that you created'
      : permission
  throw new Problem('forbidden', `Your key or role does not allow ${needed}; ask an administrator for it.`)
}

/** Adds authentication, before anything else is looked at, the rate limit and the permission check to all routes of this scope. */
export const protectRoutes = (
  app: FastifyInstance,
  authenticate: Authenticate,
  limitRate: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void = () => {},
): void => {
  app.decorateRequest('principal', null as unknown as Principal)
  /** Waits for nothing where the token is known and the budget at hand, as nearly always. */
  const admit = (request: FastifyRequest, reply: FastifyReply): Promise<void> | void => {
    const principal = authenticate(request)
    if (principal instanceof Promise) return principal.then((found) => enter(request, reply, found))
    return enter(request, reply, principal)
  }
  const enter = (
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
  ): Promise<void> | void => {
    request.principal = principal
    return limitRate(request, reply)
  }
  app.guardPaths(app.prefix, admit)
  app.addHook('onRoute', ({ config, method, url }) => {
    if (config?.permission === undefined)
      throw new Error(
        `${String(method)} ${url} names no permission: say in its config who may call it, e.g. { permission: 'files:read' }`,
      )
  })
  app.addHook('onRequest', (request, reply, done) => {
    let waiting: Promise<void> | void
    try {
      waiting = admit(request, reply)
    } catch (error) {
      done(error as Error)
      return
    }
    if (waiting === undefined) done()
    else waiting.then(() => done(), done)
  })
  const checkPermission = (request: FastifyRequest): void => {
    const { permission, isProjectInRecord = false } = request.routeOptions.config
    if (permission === undefined || permission === 'any-key') return
    const { projectId } = request.params as { projectId?: number }
    const { projectIds } = request.principal
    if (projectId !== undefined && projectIds !== null && !projectIds.includes(projectId))
      throw new Problem('not_found', `Project ${projectId} does not exist.`)
    checkAllows(request.principal, permission, isProjectInRecord ? 'somewhere' : projectId)
  }
  app.addHook('preHandler', directHook(checkPermission))
  // Not earlier: a body that is read on the way would lose the scope.
  app.addHook('preHandler', (request, _reply, done) => runForAccount(request.principal.accountId, done))
}
