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
  /** Creates a link with which the user sets a password. Only this response contains it. */
  createPasswordLink: (userId: number, options?: RequestOptions) =>
    http.call('createPasswordLink', { path: { userId }, options }),
  /** Removes the second factors of a user who has lost them, and ends the sessions of the user. */
  resetFactors: (userId: number, options?: RequestOptions) =>
    http.call('resetFactors', { path: { userId }, options }),
  /** Returns whether the account requires a second factor. */
  signInPolicy: (options?: RequestOptions) => http.call('getSignInPolicy', { options }),
  updateSignInPolicy: (body: Body<'updateSignInPolicy'>, options?: RequestOptions) =>
    http.call('updateSignInPolicy', { body, options }),
  /** Returns the user and the rights of the API key or session. */
  me: (options?: RequestOptions) => http.call('getMe', { options }),
  /** Changes the name of the caller. An API key needs users:write. */
  updateMe: (body: Body<'updateMe'>, options?: RequestOptions) => http.call('updateMe', { body, options }),
})
