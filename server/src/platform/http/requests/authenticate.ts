import type { Permission } from '@zoetrope/vocabulary'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { runForAccount } from '../../db/account-scope.ts'
import { Problem } from '../../base/problem.ts'
import { runWithCause } from '../../telemetry/cause.ts'
import { directHook } from './direct-hook.ts'
import { causeOf } from './pass-cause.ts'

/** The authenticated caller; the identity module creates it, and this module does not depend on that one. */
export interface Principal {
  readonly accountId: number
  readonly userId: number
  /** Null for a user who is signed in with a session cookie. */
  readonly apiKeyId: string | null
  /** Null for a request with an API key. */
  readonly sessionId: string | null
  /**
   * Checks a permission in the account, in one project, where the user may have another role, or in at least
   * one of them.
   */
  readonly can: (permission: Permission, projectId?: number | 'somewhere') => boolean
  /** Returns whether a new key of this principal may have these scopes: never more than its own. */
  readonly canGrant: (scopes: readonly string[]) => boolean
  /** Projects that the key is restricted to; null = all of the account. */
  readonly projectIds: readonly number[] | null
}

/** Identifies the caller for rate limits and idempotency keys: one API key, or one signed-in user. */
export const callerOf = ({ apiKeyId, userId }: Principal): string => apiKeyId ?? `user ${userId}`

const projectIdIn = (params: unknown): number | undefined =>
  typeof params === 'object' && params !== null && 'projectId' in params
    ? Number(params.projectId)
    : undefined

/** Kinds of requests with separate rate limits. */
export type BudgetKind = 'reads' | 'writes' | 'signatures'

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
  interface FastifyContextConfig {
    /** Required permission; every route under /v3 names one, or accepts any live key. */
    permission?: Permission | 'any-key'
    /** The record, not the path, determines the project: the handler calls `can` with it. */
    isProjectInRecord?: boolean
    /**
     * The handler waits until others see its writes, or deletes what a rollback does not bring back: an Idempotency-Key then holds
     * no open transaction.
     */
    isLong?: boolean
    /** Rate limit of the route; the method selects reads or writes by default. */
    budget?: BudgetKind
  }
}

/**
 * Returns synchronously for a known token, which is nearly always the case. 'look' does not extend an idle
 * session.
 */
export type Authenticate = (request: FastifyRequest, use?: 'use' | 'look') => Principal | Promise<Principal>

type AccessReason =
  | 'access_revoked'
  | 'api_key_expired'
  | 'api_key_invalid'
  | 'authentication_required'
  | 'authorization_malformed'
  | 'not_signed_in'
  | 'passkey_refused'
  | 'second_factor_wrong'
  | 'sign_in_failed'
  | 'sign_in_not_begun'

export const unauthorized = (reason: AccessReason): Problem =>
  new Problem(reason, {}, { headers: { 'WWW-Authenticate': 'Bearer realm="Zoetrope"' } })

/** Throws 'forbidden' when the principal lacks the permission; routes without one accept any key. */
export const checkAllows = (
  principal: Principal,
  permission: Permission | 'any-key' | undefined,
  projectId?: number | 'somewhere',
): void => {
  if (permission === undefined || permission === 'any-key' || principal.can(permission, projectId)) return
  if (permission === 'files:write-own') throw new Problem('own_files_permission_missing')
  throw new Problem('permission_missing', { permission })
}

/**
 * Adds authentication, which runs before any other check, the rate limit and the permission check to all
 * routes of this scope.
 */
export const protectRoutes = (
  app: FastifyInstance,
  authenticate: Authenticate,
  limitRate: (request: FastifyRequest, reply: FastifyReply) => Promise<void> | void = () => {},
): void => {
  app.decorateRequest('principal', null as unknown as Principal)
  /** Stays synchronous for a known token and a local budget, which is nearly always the case. */
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
        `${String(method)} ${url} has no permission: add one to its config, such as { permission: 'files:read' }`,
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
    const projectId = projectIdIn(request.params)
    const { projectIds } = request.principal
    if (projectId !== undefined && projectIds !== null && !projectIds.includes(projectId))
      throw new Problem('project_not_found', { projectId })
    checkAllows(request.principal, permission, isProjectInRecord ? 'somewhere' : projectId)
  }
  app.addHook('preHandler', directHook(checkPermission))
  // A hook before the body is parsed would lose the scope while the body is read.
  app.addHook('preHandler', (request, _reply, done) => {
    const runAsAccount = (): void => runForAccount(request.principal.accountId, done)
    // A read causes no jobs and events that would name its cause, and each store costs it 2 % of its time.
    if (request.method === 'GET' || request.method === 'HEAD') runAsAccount()
    else runWithCause(causeOf(request), runAsAccount)
  })
}
