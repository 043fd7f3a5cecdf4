import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type, type Static } from 'typebox'
import { checkIfMatch, etagOf, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../http/paging.ts'
import { deletedSchema, idSchema } from '../http/schemas.ts'
import type { Database } from '../kernel/db/database.ts'
import type { Role } from '../kernel/db/tables.ts'
import { invalidField, Problem } from '../kernel/problem.ts'
import { toTimestamp } from '../kernel/timestamp.ts'
import { deleteUser } from './delete-user.ts'
import { queryId, readQueryId, searchQuery } from './list-filters.ts'
import { roles } from './permissions.ts'
import {
  createUserSchema,
  renderUser,
  updateUserSchema,
  userRecord,
  type ProjectRole,
  type User,
} from './user-record.ts'
import {
  asEmailConflict,
  checkAdministratorRemains,
  checkIsUnrestricted,
  checkMayChange,
  checkMayHandOut,
  checkProjectRoles,
} from './user-rules.ts'
import {
  changeUser,
  findUser,
  insertUser,
  listUsers,
  lockUser,
  replaceProjectRoles,
  userOrders,
  type UserScope,
} from './user-store.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface UserRouteDependencies {
  readonly database: Database
  readonly verifier: TokenVerifier
  readonly publicUrl: string
}

const orders = Object.keys(userOrders)
const userParams = Type.Object({ userId: idSchema })
type UserParams = Static<typeof userParams>

const listUsersQuery = Type.Object({
  ...listQuery(orders),
  role: Type.Optional(
    Type.String({
      maxLength: 200,
      description: `Only users with this role in the account; several separated by commas: ${roles.join(', ')}.`,
    }),
  ),
  isEnabled: Type.Optional(Type.Boolean({ description: 'Only enabled users, or only disabled ones.' })),
  projectId: Type.Optional(queryId('Only users who have a role of their own in this project.')),
  search: Type.Optional(searchQuery('Words in name and e-mail; all must be there.')),
})

const readRoles = (text: string | undefined): Role[] | undefined =>
  text?.split(',').map((name) => {
    const role = roles.find((one) => one.toLowerCase() === name.trim().toLowerCase())
    if (role === undefined) throw invalidField('role', `must be one or several of ${roles.join(', ')}.`)
    return role
  })

const toProjectRoles = (
  written: readonly { readonly ProjectId: number; readonly Role: Role }[],
): ProjectRole[] => written.map(({ ProjectId, Role: role }) => ({ projectId: ProjectId, role }))

const scopeOf = ({ principal }: FastifyRequest): UserScope => ({
  accountId: principal.accountId,
  projectIds: principal.projectIds,
})

/** Of the whole record: keys come and go without a new version of their user. */
const etagOfUser = (user: User): string => etagOf(renderUser(user))

export const registerUserRoutes = (app: FastifyInstance, dependencies: UserRouteDependencies): void => {
  const { database, verifier, publicUrl } = dependencies

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
      const filters = {
        ...query,
        roles: readRoles(query.role),
        projectId: readQueryId(query.projectId, 'projectId'),
      }
      const found = await listUsers(database.kysely, scopeOf(request), filters, page)
      const { body, etag } = renderFreshList('Users', found.users.map(userRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.post(
    '/users',
    {
      config: { permission: 'users:write' },
      schema: {
        operationId: 'createUser',
        tags: [tags.users],
        summary: 'Create a user',
        description:
          'A new user has no password and no key, and so no way in yet: give it an API key with POST /apikeys and UserId. Nobody can hand out a role that allows more than the calling key.',
        body: createUserSchema,
        response: responses({ status: 201, schema: schemaRef('User'), description: 'The new user.' }, 409),
      },
    },
    async (request, reply) => {
      const body = request.body as Static<typeof createUserSchema>
      const { principal } = request
      const projectRoles = toProjectRoles(body.ProjectRoles ?? [])
      checkIsUnrestricted(principal)
      const user = await database
        .transaction(async (tx) => {
          await checkProjectRoles(tx, principal.accountId, projectRoles)
          checkMayHandOut(principal, { role: body.Role, projectRoles })
          const row = await insertUser(tx, principal.accountId, {
            email: body.Email.toLowerCase(),
            name: (body.Name ?? '').trim(),
            role: body.Role,
            is_enabled: body.IsEnabled ?? true,
          })
          await replaceProjectRoles(tx, row, projectRoles)
          return findUser(tx, scopeOf(request), row.id)
        })
        .catch((error: unknown) => {
          throw asEmailConflict(error)
        })
      reply.code(201).header('Location', `${publicUrl}/v3/users/${user.row.id}`)
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
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
        description: 'Roles, state and the number of live API keys of one user.',
        params: userParams,
        response: responses({ status: 200, schema: schemaRef('User'), description: 'The user.' }, 404),
      },
    },
    async (request, reply) => {
      const { userId } = request.params as UserParams
      const user = await findUser(database.kysely, scopeOf(request), userId)
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
    },
  )

  app.put(
    '/users/:userId',
    {
      config: { permission: 'users:write' },
      schema: {
        operationId: 'updateUser',
        tags: [tags.users],
        summary: 'Update a user',
        description:
          'Partial: absent fields stay as they are, null clears; ProjectRoles is replaced as a whole. What is taken away is gone on every node within two seconds, also from keys that exist. The last enabled Administrator stays one.',
        params: userParams,
        body: updateUserSchema,
        response: responses(
          { status: 200, schema: schemaRef('User'), description: 'The whole user.' },
          404,
          409,
          412,
        ),
      },
    },
    async (request, reply) => {
      const { userId } = request.params as UserParams
      const body = request.body as Static<typeof updateUserSchema>
      const { principal } = request
      checkIsUnrestricted(principal)
      const user = await database
        .transaction(async (tx) => {
          const before = await lockUser(tx, scopeOf(request), userId)
          checkIfMatch(request, etagOfUser(before))
          const after = {
            email: body.Email?.toLowerCase() ?? before.row.email,
            name: body.Name === undefined ? before.row.name : (body.Name ?? '').trim(),
            role: body.Role ?? before.row.role,
            isEnabled: body.IsEnabled ?? before.row.is_enabled,
            projectRoles:
              body.ProjectRoles === undefined ? before.projectRoles : toProjectRoles(body.ProjectRoles ?? []),
          }
          if (userId === principal.userId && !after.isEnabled)
            throw new Problem('conflict', 'You cannot disable yourself; ask another administrator.')
          await checkProjectRoles(tx, principal.accountId, after.projectRoles)
          checkMayChange(principal, before, after)
          const row = await changeUser(tx, before.row, {
            email: after.email,
            name: after.name,
            role: after.role,
            is_enabled: after.isEnabled,
          })
          if (body.ProjectRoles !== undefined) await replaceProjectRoles(tx, row, after.projectRoles)
          await checkAdministratorRemains(tx, principal.accountId)
          return findUser(tx, scopeOf(request), userId)
        })
        .catch((error: unknown) => {
          throw asEmailConflict(error)
        })
      verifier.forgetUser(userId)
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
          'Revokes all keys of the user at once, for good. Nobody can delete themselves or the last enabled Administrator.',
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
      const { userId } = request.params as UserParams
      const { principal } = request
      checkIsUnrestricted(principal)
      const deletedAt = new Date()
      await database.transaction(async (tx) => {
        const before = await lockUser(tx, scopeOf(request), userId)
        checkIfMatch(request, etagOfUser(before))
        if (userId === principal.userId)
          throw new Problem('conflict', 'You cannot delete yourself; ask another administrator.')
        await deleteUser(tx, before, deletedAt)
        await checkAdministratorRemains(tx, principal.accountId)
      })
      verifier.forgetUser(userId)
      return reply.send({ Id: userId, IsEnabled: false, DeletedAt: toTimestamp(deletedAt) })
    },
  )
}
