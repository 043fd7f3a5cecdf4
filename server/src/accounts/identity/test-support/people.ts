import type { Role } from '@zoetrope/vocabulary'
import type { Answer, CallOptions, TestServer } from '../../../../test/support/test-server.ts'

export interface Browser {
  readonly userId: number
  readonly email: string
  readonly password: string
  readonly sessionId: string
  readonly cookie: string
  readonly csrfToken: string
  /** Sends the cookie and, for a change, the CSRF headers of a page of this installation. */
  readonly call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
}

const cookieOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')

export const browserOf = (server: TestServer, answer: Answer, password: string): Browser => {
  const cookie = cookieOf(answer)
  const csrfToken: string = answer.body.CsrfToken
  return {
    userId: answer.body.User.Id,
    email: answer.body.User.Email,
    password,
    sessionId: answer.body.Session.Id,
    cookie,
    csrfToken,
    call: (method, path, options = {}) =>
      server.call(method, path, {
        ...options,
        apiKey: null,
        headers: { Cookie: cookie, 'X-CSRF-Token': csrfToken, ...options.headers },
      }),
  }
}

export const goodPassword = 'three quiet lighthouses'

export const newPerson = async (
  server: TestServer,
  {
    role = 'Administrator',
    password = goodPassword,
    apiKey = server.apiKey,
  }: { role?: Role; password?: string; apiKey?: string } = {},
): Promise<Browser> => {
  const { body: invitation } = await server.call('POST', '/invitations', {
    apiKey,
    body: { Email: `${crypto.randomUUID()}@example.com`, Role: role },
  })
  const answer = await server.call('POST', '/session/invitation', {
    apiKey: null,
    body: { Token: invitation.Token, Password: password, Name: 'Kim Lee' },
  })
  return browserOf(server, answer, password)
}

export const trySignIn = (
  server: TestServer,
  person: { readonly email: string; readonly password: string },
  headers: Record<string, string> = {},
): Promise<Answer> =>
  server.call('POST', '/session', {
    apiKey: null,
    headers,
    body: { Email: person.email, Password: person.password },
  })

export const signIn = async (
  server: TestServer,
  person: { readonly email: string; readonly password: string },
): Promise<Browser> => browserOf(server, await trySignIn(server, person), person.password)
