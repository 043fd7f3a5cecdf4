import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { actorOf, recordAct } from '../../audit/record-act.ts'
import { etagOf, sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../../platform/http/responses/paging.ts'
import { parseOneOfList } from '../../../platform/http/requests/query-values.ts'
import { deletedSchema, idSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { lockCaller } from '../authentication/lock-caller.ts'
import { toProjectRoles } from '../store/user-record.ts'
import { userParams, userScopeOf } from '../users/user-request.ts'
import {
  checkCanLetIn,
  checkIsUnrestricted,
  checkMayHandOut,
  checkProjectRoles,
  emailConflict,
  standingOf,
} from '../users/user-rules.ts'
import { findUser } from '../store/user-store.ts'
import {
  createInvitationSchema,
  invitationRecord,
  invitationStates,
  type InvitationRow,
} from './invitation-record.ts'
import { changeInvitation, findInvitation, insertInvitation, listInvitations } from './invitation-store.ts'
import { linkUrlOf, mailLink, type LinkMails } from './mail-link.ts'
import { revokeOpenLinks } from '../store/revoke-open-links.ts'

interface InvitationRouteDependencies extends LinkMails {
  readonly database: Database
}

/**
 * Returns the record for the audit log, without the address. The log outlives the invitation: an accepted one
 * has a user record, and data of other invitees must not be kept.
 */
const withoutEmail = (row: InvitationRow): object => {
  const { Email: _, ...record } = invitationRecord(row)
  return record
}

const invitationParams = Type.Object({ invitationId: idSchema })

export const registerInvitationRoutes = (
  app: HttpServer,
  dependencies: InvitationRouteDependencies,
): void => {
  const { database, mails, publicUrl } = dependencies
  const sendLink = (reply: FastifyReply, row: InvitationRow, token: string): FastifyReply =>
    reply
      .code(201)
      .header('Location', `${publicUrl}/v3/invitations/${row.id}`)
      .header('Cache-Control', 'no-store')
      .send({
        ...invitationRecord(row),
        Token: token,
        URL: linkUrlOf(publicUrl, token),
        IsMailed: mails.isOn,
      })

  app.get(
    '/invitations',
    {
      config: { permission: 'users:read' },
      schema: {
        operationId: 'listInvitations',
        tags: [tags.users],
        summary: 'List invitations',
        description:
          'Returns invitations and password links, newest first, without the secrets of the links.',
        querystring: Type.Object({
          ...listQuery(),
          status: Type.Optional(
            Type.String({
              maxLength: 200,
              description: `Invitations with any of these states: ${invitationStates.join(', ')}. Comma-separated list.`,
              examples: ['pending'],
            }),
          ),
        }),
        response: responses({
          status: 200,
          schema: listSchema('Invitations', schemaRef('Invitation')),
          description: 'One page of invitations.',
        }),
      },
    },
    async (request, reply) => {
      checkIsUnrestricted(request.principal)
      const { status } = request.query
      const page = parsePage(request.query)
      const states = status === undefined ? undefined : parseOneOfList(status, 'status', invitationStates)
      const found = await listInvitations(database.kysely, request.principal.accountId, states, page)
      const { body, etag } = renderFreshList('Invitations', found.rows.map(invitationRecord), found, page)
      return sendJson(request, reply, body, etag)
    },
  )

  app.get(
    '/invitations/:invitationId',
    {
      config: { permission: 'users:read' },
      schema: {
        operationId: 'getInvitation',
        tags: [tags.users],
        summary: 'Get an invitation',
        description: 'Returns recipient and status of an invitation, without the secret of the link.',
        params: invitationParams,
        response: responses(
          { status: 200, schema: schemaRef('Invitation'), description: 'The invitation.' },
          404,
        ),
      },
    },
    async (request, reply) => {
      checkIsUnrestricted(request.principal)
      const { invitationId } = request.params
      const row = await findInvitation(database.kysely, request.principal.accountId, invitationId)
      const body = JSON.stringify(invitationRecord(row))
      return sendJson(request, reply, body, etagOf(body))
    },
  )

  app.post(
    '/invitations',
    {
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'createInvitation',
        tags: [tags.users],
        summary: 'Create an invitation',
        description:
          'Creates a link with which one person becomes a user and sets a password. The link works once, within seven days, and is shown only in this response. If the installation sends e-mails, the person gets it; otherwise send it yourself. The role cannot have more permissions than the calling key, and a key with an expiry cannot invite. The link stops working when the key or user that created it loses the permission. A new invitation for the same address replaces the earlier one.',
        body: createInvitationSchema,
        response: responses(
          { status: 201, schema: schemaRef('NewInvitation'), description: 'The invitation with its link.' },
          409,
        ),
      },
    },
    async (request, reply) => {
      const body = request.body
      const projectRoles = toProjectRoles(body.ProjectRoles ?? [])
      const email = body.Email.toLowerCase()
      const { row, token } = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        checkCanLetIn(caller)
        await checkProjectRoles(tx, caller.accountId, projectRoles)
        checkMayHandOut(caller, { role: body.Role, projectRoles })
        // Row-level security limits this query to the users of the account. Accepting the invitation detects a
        // conflict with another account.
        const taken = await tx
          .selectFrom('users')
          .select('id')
          .where('account_id', '=', caller.accountId)
          .where((where) => where(where.fn('lower', ['email']), '=', email))
          .where('deleted_at', 'is', null)
          .executeTakeFirst()
        if (taken !== undefined) throw emailConflict()
        await revokeOpenLinks(tx, actorOf(request), { userId: null, email })
        const made = await insertInvitation(tx, {
          accountId: caller.accountId,
          createdBy: caller.userId,
          apiKeyId: caller.apiKeyId,
          userId: null,
          email,
          role: body.Role,
          projectRoles,
        })
        await mailLink(tx, dependencies, made)
        await recordAct(tx, actorOf(request), {
          action: 'invitation.created',
          subject: 'Invitation',
          subjectId: made.row.id,
          after: withoutEmail(made.row),
        })
        return made
      })
      return sendLink(reply, row, token)
    },
  )

  app.post(
    '/users/:userId/passwordlink',
    {
      config: { permission: 'users:write', needsFreshFactor: true },
      schema: {
        operationId: 'createPasswordLink',
        tags: [tags.users],
        summary: 'Create a password link',
        description:
          'Creates a link with which the user sets a first or a new password. The link works once, within seven days, and is shown only in this response. It requires all permissions that the user has, and a key without an expiry. A newer link, a new e-mail address or a new password revokes it.',
        params: userParams,
        response: responses(
          { status: 201, schema: schemaRef('NewInvitation'), description: 'The link.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { userId } = request.params
      const { row, token } = await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        checkCanLetIn(caller)
        const user = await findUser(tx, userScopeOf(caller), userId)
        checkMayHandOut(caller, standingOf(user))
        if (!user.row.is_enabled) throw new Problem('user_disabled', { userId })
        await revokeOpenLinks(tx, actorOf(request), { userId, email: user.row.email })
        const made = await insertInvitation(tx, {
          accountId: caller.accountId,
          createdBy: caller.userId,
          apiKeyId: caller.apiKeyId,
          userId,
          email: user.row.email,
          role: null,
          projectRoles: [],
        })
        await mailLink(tx, dependencies, made)
        await recordAct(tx, actorOf(request), {
          action: 'password.link-created',
          subject: 'User',
          subjectId: userId,
          after: { InvitationId: made.row.id },
        })
        return made
      })
      return sendLink(reply, row, token)
    },
  )

  app.delete(
    '/invitations/:invitationId',
    {
      config: { permission: 'users:write' },
      schema: {
        operationId: 'revokeInvitation',
        tags: [tags.users],
        summary: 'Revoke an invitation',
        description: 'Revokes an invitation: its link stops working. Returns 409 if it was accepted.',
        params: invitationParams,
        response: responses(
          { status: 200, schema: deletedSchema, description: 'The revoked record.' },
          404,
          409,
        ),
      },
    },
    async (request, reply) => {
      const { invitationId } = request.params
      const revokedAt = new Date()
      await database.transaction(async (tx) => {
        const caller = await lockCaller(tx, request)
        checkIsUnrestricted(caller)
        const before = await findInvitation(tx, caller.accountId, invitationId)
        if (before.accepted_at !== null) throw new Problem('invitation_accepted', { invitationId })
        if (before.revoked_at !== null) return
        await changeInvitation(tx, before, { revoked_at: revokedAt })
        await recordAct(tx, actorOf(request), {
          action: 'invitation.revoked',
          subject: 'Invitation',
          subjectId: invitationId,
        })
      })
      return reply.send({ Id: invitationId, IsEnabled: false, DeletedAt: toTimestamp(revokedAt) })
    },
  )
}
