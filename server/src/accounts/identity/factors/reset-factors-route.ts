import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { responses, tags } from '../../../platform/http/openapi/openapi.ts'
import { deletedSchema } from '../../../platform/http/requests/schemas.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { deleteFactors } from '../store/factor-store.ts'
import { deleteSessionsOfUser } from '../store/session-store.ts'
import { findUser } from '../store/user-store.ts'
import { userParams, userScopeOf, type UserRouteDependencies } from '../users/user-request.ts'
import { checkCanLetIn, checkIsUnrestricted, checkMayHandOut, standingOf } from '../users/user-rules.ts'

export const registerResetFactorsRoute = (
  app: HttpServer,
  { database, evictUser }: Pick<UserRouteDependencies, 'database' | 'evictUser'>,
): void => {
  app.delete(
    '/users/:userId/factors',
    {
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'resetFactors',
        tags: [tags.users],
        summary: 'Reset the factors of a user',
        description:
          'Removes the authenticator app, the passkeys and the recovery codes of a user who has lost them, and ends the sessions of the user. The password stays. It requires all permissions that the user has, and a key without an expiry.',
        params: userParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The user whose factors were removed.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      const { userId } = request.params
      await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        checkCanLetIn(caller)
        const user = await findUser(tx, userScopeOf(caller), userId)
        checkMayHandOut(caller, standingOf(user))
        await deleteFactors(tx, user.row)
        await deleteSessionsOfUser(tx, user.row, caller.sessionId)
        await recordAct(tx, actorOf(request), { action: 'factor.reset', subject: 'User', subjectId: userId })
      })
      evictUser(userId)
      return reply.send({ Id: userId, IsEnabled: false, DeletedAt: toTimestamp(new Date()) })
    },
  )
}
