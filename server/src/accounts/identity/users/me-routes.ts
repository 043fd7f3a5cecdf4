import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf } from '../../audit/record-act.ts'
import { checkAllows } from '../../../platform/http/requests/authenticate.ts'
import { checkIfMatch, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { etagOfMe, readMe, updateMeSchema } from './me-record.ts'
import { updateUser } from './update-user.ts'
import { userScopeOf, type UserRouteDependencies } from './user-request.ts'
import { checkIsUnrestricted } from './user-rules.ts'
import { findUser } from '../store/user-store.ts'

export const registerMeRoutes = (
  app: HttpServer,
  { database, evictUser }: Pick<UserRouteDependencies, 'database' | 'evictUser'>,
): void => {
  app.get(
    '/me',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'getMe',
        tags: [tags.users],
        summary: 'Get the caller',
        description:
          'Returns the account, user, API key and permissions of the caller. Every valid key may call it, so use it to test a key. `LastSignInAt`, `ApiKeyCount` and `LastUsedAt` do not change the ETag.',
        response: responses({ status: 200, schema: schemaRef('Me'), description: 'The caller.' }),
      },
    },
    async (request, reply) => {
      const me = await readMe(database.kysely, request.principal)
      return sendJson(request, reply, JSON.stringify(me), etagOfMe(me))
    },
  )

  app.put(
    '/me',
    {
      config: { permission: 'any-key' },
      schema: {
        operationId: 'updateMe',
        tags: [tags.users],
        summary: 'Change my name',
        description:
          'Changes the name of the caller; `null` clears it. Every signed-in user may do this; with an API key it requires users:write. An Administrator changes e-mail address, roles and state with `PUT /v3/users/{userId}`. `PUT /v3/session/password` changes the password.',
        body: updateMeSchema,
        response: responses({ status: 200, schema: schemaRef('Me'), description: 'The caller.' }, 412),
      },
    },
    async (request, reply) => {
      const { Name } = request.body
      const me = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        // An API key needs users:write, so that, for example, an upload key cannot rename its user.
        if (caller.sessionId === null) {
          checkAllows(caller, 'users:write')
          checkIsUnrestricted(caller)
        }
        checkIfMatch(request, etagOfMe(await readMe(tx, caller)))
        const before = await findUser(tx, userScopeOf(caller), caller.userId)
        // Takes only the name: the body may contain fields that only administrators may change.
        await updateUser(tx, actorOf(request), caller, before, Name === undefined ? {} : { Name })
        return readMe(tx, caller)
      })
      evictUser(me.User.Id)
      return sendJson(request, reply, JSON.stringify(me), etagOfMe(me))
    },
  )
}
