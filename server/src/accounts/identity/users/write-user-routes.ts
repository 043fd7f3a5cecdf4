import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { checkIfMatch, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { mailNewAddress } from './mail-new-address.ts'
import { updateUser } from './update-user.ts'
import {
  createUserSchema,
  renderUser,
  toProjectRoles,
  updateUserSchema,
  userRecord,
} from '../store/user-record.ts'
import { etagOfUser, userParams, userScopeOf, type UserRouteDependencies } from './user-request.ts'
import {
  asEmailConflict,
  checkCanLetIn,
  checkIsUnrestricted,
  checkMayHandOut,
  checkProjectRoles,
} from './user-rules.ts'
import { findUser, insertUser, replaceProjectRoles } from '../store/user-store.ts'

export const registerWriteUserRoutes = (app: HttpServer, dependencies: UserRouteDependencies): void => {
  const { database, evictUser, publicUrl, mails } = dependencies

  app.post(
    '/users',
    {
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'createUser',
        tags: [tags.users],
        summary: 'Create a user',
        description:
          'Creates a user without a password or API key. To give access, create an API key with `UserId`, or a password link (`POST …/passwordlink`). `POST /v3/invitations` creates a user and a link in one step. The role cannot have more permissions than the calling key.',
        body: createUserSchema,
        response: responses({ status: 201, schema: schemaRef('User'), description: 'The new user.' }, 409),
      },
    },
    async (request, reply) => {
      const body = request.body
      const projectRoles = toProjectRoles(body.ProjectRoles ?? [])
      const user = await database
        .transaction(async (tx) => {
          const caller = await lockCaller(tx, request)
          checkIsUnrestricted(caller)
          checkCanLetIn(caller)
          await checkProjectRoles(tx, caller.accountId, projectRoles)
          checkMayHandOut(caller, { role: body.Role, projectRoles })
          const row = await insertUser(tx, caller.accountId, {
            email: body.Email.toLowerCase(),
            name: (body.Name ?? '').trim(),
            role: body.Role,
            is_enabled: body.IsEnabled ?? true,
          })
          await replaceProjectRoles(tx, row, [], projectRoles)
          const made = await findUser(tx, userScopeOf(caller), row.id)
          await recordAct(tx, actorOf(request), {
            action: 'user.created',
            subject: 'User',
            subjectId: row.id,
            after: userRecord(made),
          })
          return made
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
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'updateUser',
        tags: [tags.users],
        summary: 'Update a user',
        description:
          'Changes only the fields that you send; `null` clears a field. `ProjectRoles` replaces the whole list. Permissions that you remove end within two seconds on every node, also for existing keys. A new `Email` keeps password, sessions and second factors. You cannot demote or disable the last enabled Administrator without a lower role in a project, nor give this user such a role.',
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
      const { userId } = request.params
      const body = request.body
      const user = await database
        .transaction(async (tx) => {
          const caller = await lockCaller(tx, request)
          checkIsUnrestricted(caller)
          const before = await findUser(tx, userScopeOf(caller), userId)
          checkIfMatch(request, etagOfUser(before))
          const after = await updateUser(tx, actorOf(request), caller, before, body)
          await mailNewAddress(tx, request, mails, { before, after })
          return after
        })
        .catch((error: unknown) => {
          throw asEmailConflict(error)
        })
      evictUser(userId)
      return sendJson(request, reply, renderUser(user), etagOfUser(user))
    },
  )
}
