import type { FastifyInstance } from 'fastify'
import { Type, type Static } from 'typebox'
import { actorOf, recordAct } from '../audit/record-act.ts'
import { checkIfMatch, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../http/paging.ts'
import { checkText, parseIdList, parseOneOfList } from '../http/query-values.ts'
import { deletedSchema } from '../http/schemas.ts'
import { Problem } from '../kernel/problem.ts'
import { toTimestamp } from '../kernel/timestamp.ts'
import { deleteUser } from './delete-user.ts'
import { idListQuery, searchQuery } from './list-filters.ts'
import { lockCaller } from './lock-caller.ts'
import { roles } from './permissions.ts'
import { renderUser, userRecord } from './user-record.ts'
import { etagOfUser, userParams, userScopeOf, type UserRouteDependencies } from './user-request.ts'
import { checkAdministratorRemains, checkIsUnrestricted } from './user-rules.ts'
import { findUser, listUsers, userOrders, type UserFilters } from './user-store.ts'
import { registerWriteUserRoutes } from './write-user-routes.ts'

const orders = Object.keys(userOrders)

const listUsersQuery = Type.Object({
  ...listQuery(orders),
  role: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Only users with this role in the account; several separated by commas: ${roles.join(', ')}.`,
    }),
  ),
  isEnabled: Type.Optional(Type.Boolean({ description: 'Only enabled users, or only disabled ones.' })),
  projectId: Type.Optional(idListQuery('Only users who have a role of their own in this project.')),
  search: Type.Optional(searchQuery('Words in name and e-mail; all must be there.')),
})

const parseUserFilters = (query: Static<typeof listUsersQuery>): UserFilters => ({
  ...(query.role === undefined ? {} : { roles: parseOneOfList(query.role, 'role', roles) }),
  ...(query.isEnabled === undefined ? {} : { isEnabled: query.isEnabled }),
  ...(query.projectId === undefined ? {} : { projectIds: parseIdList(query.projectId, 'projectId') }),
  ...(query.search === undefined ? {} : { search: checkText(query.search, 'search') }),
})

export const registerUserRoutes = (app: FastifyInstance, dependencies: UserRouteDependencies): void => {
  const { database, forgetUser } = dependencies
  registerWriteUserRoutes(app, dependencies)

  app.get(
    '/users',
    {
      config: { permission: 'users:read' },
      schema: {
        operationId: 'listUsers',
        tags: [tags.users],
        summary: 'List users',
        description: 'The people of the account with their roles, newest first.',
        querystring: listUsersQuery,
        response: responses({
          status: 200,
          schema: listSchema('Users', schemaRef('User')),
          description: 'One page of users.',
        }),
      },
    },
    async (request, reply) => {
      const query = request.query as Static<typeof listUsersQuery>
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
          'Roles, state and the number of live API keys of one user. The ETag does not follow LastSignInAt and ApiKeyCount.',
        params: userParams,
        response: responses({ status: 200, schema: schemaRef('User'), description: 'The user.' }, 404),
      },
    },
    async (request, reply) => {
      const { userId } = request.params as Static<typeof userParams>
      const user = await findUser(database.kysely, userScopeOf(request.principal), userId)
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
    },
  )

  app.delete(
    '/users/:userId',
    {
      config: { permission: 'users:write' },
      schema: {
        operationId: 'deleteUser',
        tags: [tags.users],
        summary: 'Delete a user',
        description:
          'Revokes all keys and ends all sessions of the user at once, for good. Nobody can delete themselves or the last enabled Administrator.',
        params: userParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'What was deleted.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { userId } = request.params as Static<typeof userParams>
      const deletedAt = new Date()
      await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        const before = await findUser(tx, userScopeOf(caller), userId)
        checkIfMatch(request, etagOfUser(before))
        if (userId === caller.userId)
          throw new Problem('conflict', 'You cannot delete yourself; ask another administrator.')
        await deleteUser(tx, actorOf(request), before, deletedAt)
        await recordAct(tx, actorOf(request), {
          action: 'user.deleted',
          subject: 'User',
          subjectId: userId,
          before: userRecord(before),
        })
        await checkAdministratorRemains(tx, caller.accountId)
      })
      forgetUser(userId)
      return reply.send({ Id: userId, IsEnabled: false, DeletedAt: toTimestamp(deletedAt) })
    },
  )
}
