import type { FastifyInstance } from 'fastify'
import type { Static } from 'typebox'
import { checkIfMatch, sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { updateUser } from './update-user.ts'
import { createUserSchema, renderUser, toProjectRoles, updateUserSchema } from './user-record.ts'
import { etagOfUser, userParams, userScopeOf, type UserRouteDependencies } from './user-request.ts'
import { asEmailConflict, checkIsUnrestricted, checkMayHandOut, checkProjectRoles } from './user-rules.ts'
import { findUser, insertUser, lockUser, replaceProjectRoles } from './user-store.ts'

export const registerWriteUserRoutes = (app: FastifyInstance, dependencies: UserRouteDependencies): void => {
  const { database, verifier, publicUrl } = dependencies

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
          return findUser(tx, userScopeOf(request), row.id)
        })
        .catch((error: unknown) => {
          throw asEmailConflict(error)
        })
      reply.code(201).header('Location', `${publicUrl}/v3/users/${user.row.id}`)
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
      const { userId } = request.params as Static<typeof userParams>
      const body = request.body as Static<typeof updateUserSchema>
      const { principal } = request
      checkIsUnrestricted(principal)
      const user = await database
        .transaction(async (tx) => {
          const before = await lockUser(tx, userScopeOf(request), userId)
          checkIfMatch(request, etagOfUser(before))
          return updateUser(tx, principal, userScopeOf(request), before, body)
        })
        .catch((error: unknown) => {
          throw asEmailConflict(error)
        })
      verifier.forgetUser(userId)
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
    },
  )
}
