import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { checkSignInOrigin } from '../authentication/check-origin.ts'
import type { SignInDependencies } from '../sessions/sign-in-routes.ts'
import { sendStartedSession, startSession } from '../sessions/start-session.ts'
import { takeSignInLink } from './sign-in-links.ts'

const linkSchema = Type.Object(
  {
    Token: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Secret of the link: the part after `#`.',
    }),
  },
  { examples: [{ Token: 'x3mH0d7Wm2dNq4JtCk8rZy1uVb6pLs9fGa5eXo0iTwY' }] },
)

const linkIsVoid = (): Problem => new Problem('sign_in_link_invalid')

/** Unauthenticated route: signs in the operator with the link that `./zoetrope up` prints. */
export const registerSignInLinkRoute = (app: HttpServer, dependencies: SignInDependencies): void => {
  const { database, publicUrl, cookies, limits, mailNewSignIn } = dependencies

  app.post(
    '/session/link',
    {
      schema: {
        operationId: 'signInByLink',
        tags: [tags.users],
        summary: 'Sign in with a terminal link',
        description:
          'Signs in the first administrator with the token of the link that `./zoetrope up` prints on a terminal. The link works once, within ten minutes.',
        security: [],
        body: linkSchema,
        response: responses(
          {
            status: 201,
            schema: schemaRef('SignedIn'),
            description: 'The signed-in user. The response sets the session cookie.',
          },
          404,
        ),
      },
    },
    async (request, reply) => {
      checkSignInOrigin(request, publicUrl)
      const { Token } = request.body
      const started = await database.transaction(async (tx) => {
        const user = await takeSignInLink(tx, Token)
        if (user === undefined) return null
        return startSession(
          tx,
          request,
          user,
          { limits, cookies, mailNewSignIn },
          { method: 'Link', proof: { SignInLink: 'terminal' } },
        )
      })
      if (started === null) throw linkIsVoid()
      return sendStartedSession(reply, started, dependencies)
    },
  )
}
