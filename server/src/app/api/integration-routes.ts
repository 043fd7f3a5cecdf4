import { registerEventRoutes } from '../../notifications/events/event-routes.ts'
import { registerEventStreamRoutes } from '../../notifications/events/event-stream-routes.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { registerApiKeyRoutes } from '../../accounts/identity/keys/api-key-routes.ts'
import { registerPartnerRoutes } from '../../accounts/partners/api/partner-routes.ts'
import { checkMayOpenSignIn } from '../../accounts/sso/check-may-open-sign-in.ts'
import { registerWebhookRoutes } from '../../notifications/webhooks/api/webhook-routes.ts'
import type { ApiServices } from '../roles/services.ts'
import type { ApiParts } from './api-parts.ts'

/** API keys, webhooks, partners and events. */
export const registerIntegrations = (api: HttpServer, services: ApiServices, parts: ApiParts): void => {
  const { config, database, jobs, mails, signingKeys, issuer } = services
  const { publicUrl } = config
  const { verifier, agent, authenticate } = parts
  registerApiKeyRoutes(api, { database, signingKeys, issuer, verifier, publicUrl, mails })
  registerWebhookRoutes(api, {
    database,
    secrets: services.secrets.workers,
    jobs,
    publicUrl,
    isOutboundHttpAllowed: config.isOutboundHttpAllowed,
    outboundAllowCidrs: config.outboundAllowCidrs,
    maxWebhooksPerAccount: config.maxWebhooksPerAccount,
  })
  registerPartnerRoutes(api, {
    database,
    secrets: services.secrets,
    agent,
    publicUrl,
    checkMayOpenSignIn,
  })
  registerEventRoutes(api, { database })
  registerEventStreamRoutes(api, {
    database,
    log: services.log,
    authenticate,
    maxStreamsPerAddress: config.eventStreamsPerAddress,
  })
}
