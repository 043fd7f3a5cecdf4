import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { toProblem } from '../../platform/http/error-envelope.ts'
import { checkText } from '../../platform/http/requests/query-values.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import { isSentByOtherSite } from '../identity/authentication/check-origin.ts'
import { requireAttempt } from '../identity/sessions/require-attempt.ts'
import { bucketsOfAddress } from '../identity/sessions/sign-in-attempts.ts'
import { newUrlToken } from '../../platform/base/ids.ts'
import type { MailQueue } from '../../platform/mail/mail-queue.ts'
import { hmacSha256 } from '../../platform/base/secrets.ts'
import { signInUrl } from '../partners/sign-in/redeem-sign-in.ts'
import { redirectUriOf } from '../partners/connections/sign-in-settings.ts'
import { createSignInProviders } from '../partners/sign-in/sign-in-providers.ts'
import { chooseConnection, isSsoOffered } from './choose-connection.ts'
import { finishSignIn, type FinishDependencies } from './finish-sign-in.ts'
import { recordFailure } from './record-failure.ts'
import { sendSsoProblem, sendSsoQuestion } from './sso-page.ts'
import { attemptSeconds, createSsoStates } from './sso-states.ts'

export type SsoDependencies = Omit<FinishDependencies, 'states' | 'providers'> &
  Parameters<typeof createSignInProviders>[0] & { readonly mails: MailQueue }

/**
 * Multiplier of the sign-in limit for starts. Starts are never credited back, and people of one network often
 * sign in at the same hour.
 */
const startsPerSignIn = 10

const startQuery = Type.Object({
  email: Type.Optional(Type.String({ maxLength: 254 })),
  /** Makes the provider ask the person again, to confirm a sensitive action. */
  ask: Type.Optional(Type.Literal('again')),
})
const callbackParams = Type.Object({ accountId: idSchema })

/**
 * Registers the browser routes of sign-in with an identity provider. They are not part of the API: errors are
 * HTML pages too.
 */
export const registerSsoRoutes = (app: HttpServer, dependencies: SsoDependencies): void => {
  const { database, secrets, cookies, publicUrl, mails, signInsPerMinute } = dependencies
  const states = createSsoStates(secrets.derive('sign-in by a provider'))
  const providers = createSignInProviders(dependencies)
  const rankingKey = secrets.derive('provider of an unknown address')
  const rankOf = (text: string): string => hmacSha256(rankingKey, text).toString('hex')

  app.setErrorHandler((error, request, reply) => sendSsoProblem(request, reply, toProblem(error, request)))

  app.get('/signin/sso', { schema: { hide: true, querystring: startQuery } }, async (request, reply) => {
    const { email: typed = '', ask } = request.query
    const email = typed.trim() === '' ? null : checkText(typed.trim(), 'email')
    const isSent = isSentByOtherSite(request)
    // Requests that other sites trigger count separately, so that such a site cannot lock out the network of
    // its visitors.
    const kind = isSent ? 'sso question' : 'sso start'
    const shared = bucketsOfAddress(request.ip, signInsPerMinute * startsPerSignIn, kind)
    await requireAttempt(database, { shared, own: null })
    const row = await chooseConnection(database, email, rankOf)
    // Asks for confirmation, because otherwise any site could sign its visitors in, even as a user of its
    // choice.
    if (isSent) return sendSsoQuestion(reply, { issuer: row.issuer, email })
    const configuration = await providers(row).catch((error: unknown) =>
      recordFailure(request, database, row, error),
    )
    // Reuses the cookie, so that sign-ins in two windows both succeed.
    const browser = cookies.ssoOf(request.headers.cookie) ?? newUrlToken()
    const mustAsk = ask !== undefined
    const attempt = states.begin(browser, row.account_id, Date.now(), { mustAsk })
    const redirectUri = redirectUriOf(publicUrl, row.account_id)
    return reply
      .code(303)
      .header('Location', await signInUrl(configuration, attempt, { redirectUri, loginHint: email }))
      .header('Set-Cookie', cookies.keepSso(browser, attemptSeconds))
      .header('Cache-Control', 'no-store')
      .header('Referrer-Policy', 'no-referrer')
      .send()
  })

  // The sign-in page shows the SSO button only if a provider is configured.
  app.get('/signin/sso/offered', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('Cache-Control', 'no-store')
      .send({ IsOffered: await isSsoOffered(database), IsPasswordResetOffered: mails.isOn }),
  )

  // No HEAD route, because it would consume the answer of the provider.
  app.get(
    '/signin/sso/callback/:accountId',
    { exposeHeadRoute: false, schema: { hide: true, params: callbackParams } },
    async (request, reply) => {
      const { accountId } = request.params
      const setCookies = await finishSignIn({ ...dependencies, states, providers }, request, accountId)
      return reply
        .code(303)
        .header('Location', `${publicUrl}/`)
        .header('Set-Cookie', setCookies)
        .header('Cache-Control', 'no-store')
        .header('Referrer-Policy', 'no-referrer')
        .send()
    },
  )
}
