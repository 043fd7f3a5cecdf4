import { registerAuditStreamRoutes } from '../../accounts/audit/audit-stream-routes.ts'
import { registerAuditRoutes } from '../../accounts/audit/audit-routes.ts'
import { passCause } from '../../platform/http/requests/pass-cause.ts'
import { addSchemas } from '../../platform/http/openapi/openapi.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { identitySchemas } from '../../accounts/identity/identity-schemas.ts'
import { registerAcceptInvitationRoute } from '../../accounts/identity/invitations/accept-invitation-route.ts'
import { registerPasswordResetRoute } from '../../accounts/identity/invitations/request-password-reset.ts'
import { registerConfirmRoutes } from '../../accounts/identity/factors/confirm-routes.ts'
import { registerFactorRoutes } from '../../accounts/identity/factors/factor-routes.ts'
import { registerPasskeyRoutes } from '../../accounts/identity/factors/passkey-routes.ts'
import { registerPasskeySignInRoutes } from '../../accounts/identity/factors/passkey-sign-in-routes.ts'
import { registerResetFactorsRoute } from '../../accounts/identity/factors/reset-factors-route.ts'
import { registerSecondStepRoute } from '../../accounts/identity/factors/second-step-route.ts'
import { registerSignInPolicyRoutes } from '../../accounts/identity/factors/sign-in-policy-routes.ts'
import { registerTotpRoutes } from '../../accounts/identity/factors/totp-routes.ts'
import { registerInvitationRoutes } from '../../accounts/identity/invitations/invitation-routes.ts'
import { registerMeRoutes } from '../../accounts/identity/users/me-routes.ts'
import { registerPasswordRoute } from '../../accounts/identity/sessions/password-routes.ts'
import { registerSessionRoutes } from '../../accounts/identity/sessions/session-routes.ts'
import { limitSignInRequests } from '../../accounts/identity/sessions/limit-sign-in-requests.ts'
import { registerSignInRoute } from '../../accounts/identity/sessions/sign-in-routes.ts'
import { registerSignInLinkRoute } from '../../accounts/identity/sign-in-links/sign-in-link-route.ts'
import { registerUserRoutes } from '../../accounts/identity/users/user-routes.ts'
import { forgetFirstCredentials } from '../first-start/forget-first-credentials.ts'
import type { ApiServices } from '../roles/services.ts'
import type { ApiParts } from './api-parts.ts'

/** Users, sign-in and the audit log. */
export const registerIdentity = (api: HttpServer, services: ApiServices, parts: ApiParts): void => {
  const { config, database, mails } = services
  const { publicUrl } = config
  const { signIn, authenticate } = parts
  registerUserRoutes(api, signIn)
  registerMeRoutes(api, signIn)
  registerSessionRoutes(api, signIn)
  registerPasswordRoute(api, signIn)
  registerFactorRoutes(api, signIn)
  registerTotpRoutes(api, signIn)
  registerPasskeyRoutes(api, signIn)
  registerConfirmRoutes(api, signIn)
  registerSignInPolicyRoutes(api, { database })
  registerResetFactorsRoute(api, signIn)
  registerInvitationRoutes(api, { database, mails, publicUrl })
  registerAuditRoutes(api, { database })
  registerAuditStreamRoutes(api, { database, authenticate })
}

/** Routes of sign-in, which need no principal. */
export const registerOpenSignIn = (open: HttpServer, services: ApiServices, parts: ApiParts): void => {
  const { signIn } = parts
  passCause(open)
  limitSignInRequests(open, signIn)
  forgetFirstCredentials(open, services.config.dataFolder)
  addSchemas(open, identitySchemas)
  registerSignInRoute(open, signIn)
  registerAcceptInvitationRoute(open, signIn)
  registerSignInLinkRoute(open, signIn)
  registerPasswordResetRoute(open, signIn)
  registerSecondStepRoute(open, signIn)
  registerPasskeySignInRoutes(open, signIn)
}
