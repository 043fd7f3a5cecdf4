import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createInvitations = (http: HttpClient) => ({
  list: (query?: Query<'listInvitations'>, options?: RequestOptions) =>
    list(http, 'listInvitations', 'Invitations', { query, options }),
  /** Creates an invitation. Only this response contains the link. */
  create: (body: Body<'createInvitation'>, options?: RequestOptions) =>
    http.call('createInvitation', { body, options }),
  get: (invitationId: number, options?: RequestOptions) =>
    http.call('getInvitation', { path: { invitationId }, options }),
  revoke: (invitationId: number, options?: RequestOptions) =>
    http.call('revokeInvitation', { path: { invitationId }, options }),
})
