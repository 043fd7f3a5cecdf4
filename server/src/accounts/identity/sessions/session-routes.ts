import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkAllows } from '../../../platform/http/requests/authenticate.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import { parseIdList } from '../../../platform/http/requests/query-values.ts'
import { timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { idListQuery } from '../store/list-filters.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { checkIsUnrestricted } from '../users/user-rules.ts'
import type { SessionCookies } from '../authentication/session-cookie.ts'
import { renderSignedIn, sessionRecord, type SessionRouteDependencies } from './session-record.ts'
import { deleteOtherSessions, deleteSession, findSession, listSessions } from '../store/session-store.ts'
import type { SessionVerifier } from '../authentication/session-verifier.ts'

interface OwnSessionDependencies extends SessionRouteDependencies {
  readonly cookies: SessionCookies
  readonly sessions: SessionVerifier
}

const sessionParams = Type.Object({
  sessionUuid: Type.String({
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    maxLength: 36,
    examples: ['0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10'],
  }),
})

const endedSchema = Type.Object(
  { Id: Type.String({ format: 'uuid' }), IsEnabled: Type.Boolean(), DeletedAt: timestampSchema },
  {
    examples: [
      {
        Id: '0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10',
        IsEnabled: false,
        DeletedAt: '2026-03-01T12:00:00+00:00',
      },
    ],
  },
)

const endedCountSchema = Type.Object(
  { EndedCount: Type.Integer({ description: 'Number of sessions that ended.' }) },
  { examples: [{ EndedCount: 2 }] },
)

const noSession = (): Problem => new Problem('no_session')
const sessionNotFound = (uuid: string): Problem => new Problem('session_not_found', { sessionId: uuid })

/** Throws 'not_found' for a request with an API key. */
export const currentSessionOf = ({ principal }: FastifyRequest): string => {
  if (principal.sessionId === null) throw noSession()
  return principal.sessionId
}

export const registerSessionRoutes = (app: HttpServer, dependencies: OwnSessionDependencies): void => {
  const { database, limits, cookies, sessions } = dependencies

  app.get(
    '/session',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true },
      schema: {
        operationId: 'getSession',
        tags: [tags.users],
        summary: 'Get the current session',
        description:
          'Returns the user of the session cookie, the permissions, and the `CsrfToken` that changes require. Returns 404 for a request with an API key.',
        response: responses(
          { status: 200, schema: schemaRef('SignedIn'), description: 'The signed-in user.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const uuid = currentSessionOf(request)
      const { principal, headers } = request
      const row = await findSession(database.kysely, principal.accountId, uuid, limits)
      if (row === undefined) throw sessionNotFound(uuid)
      const body = await renderSignedIn(database, principal, row, cookies.sessionOf(headers.cookie) ?? '')
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.delete(
    '/session',
    {
      config: { permission: 'any-key', isOpenWithoutFactor: true },
      schema: {
        operationId: 'signOut',
        tags: [tags.users],
        summary: 'Sign out',
        description: 'Ends the session of the cookie and removes the cookie.',
        response: responses({ status: 200, schema: endedSchema, description: 'The ended session.' }, 404),
      },
    },
    async (request, reply) => {
      const uuid = currentSessionOf(request)
      const { accountId, userId } = request.principal
      await database.transaction(async (tx) => {
        if (await deleteSession(tx, accountId, uuid))
          await recordAct(tx, actorOf(request), {
            action: 'session.ended',
            subject: 'Session',
            subjectId: uuid,
          })
      })
      sessions.evictUser(userId)
      reply.header('Set-Cookie', cookies.dropSession())
      return reply.send({ Id: uuid, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )

  app.get(
    '/sessions',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'listSessions',
        tags: [tags.users],
        summary: 'List sessions',
        description:
          'Returns your sessions, newest first, or with `userId` those of other users. Sessions of others, and requests with an API key, require users:read.',
        querystring: Type.Object({
          ...listQuery(),
          userId: Type.Optional(idListQuery('Sessions of these users instead of your own.')),
        }),
        response: responses({
          status: 200,
          schema: listSchema('Sessions', schemaRef('Session')),
          description: 'One page of sessions.',
        }),
      },
    },
    async (request, reply) => {
      const { principal } = request
      const query = request.query
      const page = parsePage(request.query)
      const userIds = query.userId === undefined ? [principal.userId] : parseIdList(query.userId, 'userId')
      // An API key needs users:read even for its own user, because sessions reveal where the user works.
      if (principal.sessionId === null || userIds.some((id) => id !== principal.userId))
        checkAllows(principal, 'users:read')
      checkIsUnrestricted(principal)
      const found = await listSessions(database.kysely, principal.accountId, userIds, limits, page)
      const records = found.rows.map((row) => sessionRecord(row, principal))
      const { body, etag } = renderFreshList('Sessions', records, found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.delete(
    '/sessions',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'endOtherSessions',
        tags: [tags.users],
        summary: 'End my other sessions',
        description:
          'Ends all your sessions except the current one. Every node refuses them within two seconds.',
        response: responses(
          { status: 200, schema: endedCountSchema, description: 'How many sessions ended.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const uuid = currentSessionOf(request)
      const ended = await database.transaction(async (tx) => {
        const { accountId, userId } = await lockCaller(tx, request)
        const uuids = await deleteOtherSessions(tx, { account_id: accountId, id: userId }, uuid)
        for (const subjectId of uuids)
          await recordAct(tx, actorOf(request), { action: 'session.ended', subject: 'Session', subjectId })
        return uuids
      })
      sessions.evictUser(request.principal.userId)
      return reply.send({ EndedCount: ended.length })
    },
  )

  app.delete(
    '/sessions/:sessionUuid',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'endSession',
        tags: [tags.users],
        summary: 'End a session',
        description:
          'Ends one of your sessions, or a session of another user. Every node refuses it within two seconds. Sessions of others, and requests with an API key, require users:write.',
        params: sessionParams,
        response: responses({ status: 200, schema: endedSchema, description: 'The ended session.' }, 404),
      },
    },
    async (request, reply) => {
      const { sessionUuid } = request.params
      const userId = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        const row = await findSession(tx, caller.accountId, sessionUuid, limits)
        // Checks the right before existence, so that callers without it cannot probe for sessions. A key needs
        // the right even for its own user.
        if (caller.sessionId === null || row?.user_id !== caller.userId) {
          checkAllows(caller, 'users:write')
          checkIsUnrestricted(caller)
        }
        if (row === undefined) throw sessionNotFound(sessionUuid)
        await deleteSession(tx, caller.accountId, sessionUuid)
        await recordAct(tx, actorOf(request), {
          action: 'session.ended',
          subject: 'Session',
          subjectId: sessionUuid,
          before: { UserId: row.user_id },
        })
        return row.user_id
      })
      sessions.evictUser(userId)
      return reply.send({ Id: sessionUuid, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
