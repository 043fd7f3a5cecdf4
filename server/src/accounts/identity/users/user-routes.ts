import { roles } from '@zoetrope/vocabulary'
import { Type, type Static } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkIfMatch, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import { checkText, parseIdList, parseOneOfList } from '../../../platform/http/requests/query-values.ts'
import { deletedSchema } from '../../../platform/http/requests/schemas.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { deleteUser } from './delete-user.ts'
import { idListQuery, searchQuery } from '../store/list-filters.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { renderUser, userRecord } from '../store/user-record.ts'
import { etagOfUser, userParams, userScopeOf, type UserRouteDependencies } from './user-request.ts'
import { checkAdministratorRemains } from './check-administrator-remains.ts'
import { checkIsUnrestricted } from './user-rules.ts'
import { findUser, listUsers, userOrders, type UserFilters } from '../store/user-store.ts'
import { registerWriteUserRoutes } from './write-user-routes.ts'

const orders = Object.keys(userOrders)

const listUsersQuery = Type.Object({
  ...listQuery(orders),
  role: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Users with any of these roles in the account: ${roles.join(', ')}. Comma-separated list.`,
    }),
  ),
  isEnabled: Type.Optional(Type.Boolean({ description: 'Whether the user is enabled.' })),
  projectId: Type.Optional(idListQuery('Users with a `ProjectRoles` entry for any of these projects.')),
  search: Type.Optional(
    searchQuery('Search words. Name and e-mail address together must contain all of them.'),
  ),
})

const parseUserFilters = (query: Static<typeof listUsersQuery>): UserFilters => ({
  ...(query.role === undefined ? {} : { roles: parseOneOfList(query.role, 'role', roles) }),
  ...(query.isEnabled === undefined ? {} : { isEnabled: query.isEnabled }),
  ...(query.projectId === undefined ? {} : { projectIds: parseIdList(query.projectId, 'projectId') }),
  ...(query.search === undefined ? {} : { search: checkText(query.search, 'search') }),
})

export const registerUserRoutes = (app: HttpServer, dependencies: UserRouteDependencies): void => {
  const { database, evictUser } = dependencies
  registerWriteUserRoutes(app, dependencies)

  app.get(
    '/users',
    {
      config: { permission: 'users:read' },
      schema: {
        operationId: 'listUsers',
        tags: [tags.users],
        summary: 'List users',
        description:
          'Returns the users of the account with their roles, newest first. Requires access to all projects.',
        querystring: listUsersQuery,
        response: responses({
          status: 200,
          schema: listSchema('Users', schemaRef('User')),
          description: 'One page of users.',
        }),
      },
    },
    async (request, reply) => {
      checkIsUnrestricted(request.principal)
      const query = request.query
      const page = parsePage(query, orders)
      const filters = parseUserFilters(query)
      const found = await listUsers(database.kysely, userScopeOf(request.principal), filters, page)
      const { body, etag } = renderFreshList('Users', found.users.map(userRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.get(
    '/users/:userId',
    {
      config: { permission: 'users:read' },
      schema: {
        operationId: 'getUser',
        tags: [tags.users],
        summary: 'Get a user',
        description:
          'Returns roles and state of a user, and the number of valid API keys. Requires access to all projects. `LastSignInAt` and `ApiKeyCount` do not change the ETag.',
        params: userParams,
        response: responses({ status: 200, schema: schemaRef('User'), description: 'The user.' }, 404),
      },
    },
    async (request, reply) => {
      checkIsUnrestricted(request.principal)
      const { userId } = request.params
      const user = await findUser(database.kysely, userScopeOf(request.principal), userId)
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
    },
  )

  app.delete(
    '/users/:userId',
    {
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'deleteUser',
        tags: [tags.users],
        summary: 'Delete a user',
        description:
          'Deletes a user for good, revokes all API keys of the user and ends all sessions at once. You cannot delete yourself or the last enabled Administrator without a lower role in a project.',
        params: userParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The deleted record.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { userId } = request.params
      const deletedAt = new Date()
      await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        const before = await findUser(tx, userScopeOf(caller), userId)
        checkIfMatch(request, etagOfUser(before))
        if (userId === caller.userId) throw new Problem('cannot_delete_yourself')
        await deleteUser(tx, actorOf(request), before, deletedAt)
        await recordAct(tx, actorOf(request), {
          action: 'user.deleted',
          subject: 'User',
          subjectId: userId,
          before: userRecord(before),
        })
        await checkAdministratorRemains(tx, before)
      })
      evictUser(userId)
      return reply.send({ Id: userId, IsEnabled: false, DeletedAt: toTimestamp(deletedAt) })
    },
  )
}
