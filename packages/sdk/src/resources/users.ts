import type { HttpClient, RequestOptions } from '../http-client.ts'
import { list } from '../list.ts'
import type { Body, Query } from '../operation-types.ts'

export const createUsers = (http: HttpClient) => ({
  list: (query?: Query<'listUsers'>, options?: RequestOptions) =>
    list(http, 'listUsers', 'Users', { query, options }),
  create: (body: Body<'createUser'>, options?: RequestOptions) => http.call('createUser', { body, options }),
  get: (userId: number, options?: RequestOptions) => http.call('getUser', { path: { userId }, options }),
  update: (userId: number, body: Body<'updateUser'>, options?: RequestOptions) =>
    http.call('updateUser', { path: { userId }, body, options }),
  delete: (userId: number, options?: RequestOptions) =>
    http.call('deleteUser', { path: { userId }, options }),
  /** By which a user chooses a password; shown only in this answer. */
  createPasswordLink: (userId: number, options?: RequestOptions) =>
    http.call('createPasswordLink', { path: { userId }, options }),
  /** Whose key this is and what it may do. */
  me: (options?: RequestOptions) => http.call('getMe', { options }),
  /** The own name, where it is a person who is signed in or a key with users:write. */
  updateMe: (body: Body<'updateMe'>, options?: RequestOptions) => http.call('updateMe', { body, options }),
})
