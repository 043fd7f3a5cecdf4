import { invalidField } from '../../../platform/base/problem.ts'
import type { IdentityProvidersTable } from '../../../platform/db/tables/partners.ts'

export type Preset = IdentityProvidersTable['preset']
export type Authentication = IdentityProvidersTable['authentication']

interface PresetRules {
  /** The first one is the default. */
  readonly authentications: readonly [Authentication, ...Authentication[]]
  /** Fields without which the provider grants no token. */
  readonly needs: readonly ('Scope' | 'Audience')[]
  /** Parameters that carry the audience to the token endpoint; empty when it accepts none. */
  readonly audienceParameters: readonly ('audience' | 'resource')[]
  readonly issuer: RegExp
  readonly issuerExample: string
}

const anyIssuer = /^/

/** Differences between the providers, according to their documentation. */
const rules: Readonly<Record<Preset, PresetRules>> = {
  cognito: {
    authentications: ['client_secret_basic', 'client_secret_post'],
    needs: ['Scope'],
    audienceParameters: [],
    issuer: /^https:\/\/cognito-idp\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?\/[\w-]+$/,
    issuerExample: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_AbCdEfGhI',
  },
  auth0: {
    authentications: ['client_secret_post', 'client_secret_basic', 'private_key_jwt'],
    needs: ['Audience'],
    audienceParameters: ['audience'],
    issuer: anyIssuer,
    issuerExample: 'https://example.eu.auth0.com/',
  },
  entra: {
    // With private_key_jwt Entra requires the thumbprint of a certificate.
    authentications: ['client_secret_post', 'client_secret_basic'],
    needs: ['Scope'],
    audienceParameters: [],
    issuer: /^https:\/\/login\.[a-z0-9.-]+\/[\w.-]+\/v2\.0$/,
    issuerExample: 'https://login.microsoftonline.com/<tenant id>/v2.0',
  },
  okta: {
    authentications: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    needs: ['Scope'],
    // The audience is a setting of the authorization server.
    audienceParameters: [],
    // The authorization server of the organization itself issues no tokens with own scopes.
    issuer: /^https:\/\/[\w.-]+\/oauth2\/[\w-]+$/,
    issuerExample: 'https://example.okta.com/oauth2/default',
  },
  keycloak: {
    authentications: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    needs: [],
    audienceParameters: ['audience'],
    issuer: /\/realms\/[^/]+$/,
    issuerExample: 'https://login.example.com/realms/main',
  },
  google: {
    // Google has no client credentials grant; service accounts sign their own assertions (RFC 7523).
    authentications: ['service_account'],
    needs: ['Audience'],
    audienceParameters: [],
    issuer: /^https:\/\/accounts\.google\.com$/,
    issuerExample: 'https://accounts.google.com',
  },
  custom: {
    authentications: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'service_account'],
    needs: [],
    // RFC 6749, section 3.2: token endpoints ignore unknown parameters.
    audienceParameters: ['audience', 'resource'],
    issuer: anyIssuer,
    issuerExample: 'https://login.example.com',
  },
}

export const presets = Object.keys(rules) as Preset[]

export const defaultAuthentication = (preset: Preset): Authentication => rules[preset].authentications[0]

export const audienceParametersOf = (preset: Preset): PresetRules['audienceParameters'] =>
  rules[preset].audienceParameters

/** Throws 'invalid' when no provider of this preset has such an issuer. */
export const checkIssuerOfPreset = (preset: Preset, issuer: string): void => {
  const { issuer: pattern, issuerExample } = rules[preset]
  if (!pattern.test(issuer))
    throw invalidField('Issuer', 'not_issuer_of_preset', { example: issuerExample, preset })
}

/** Throws 'invalid' with the field when a provider of this preset cannot work with these settings. */
export const checkPreset = (settings: {
  readonly preset: Preset
  readonly issuer: string
  readonly authentication: Authentication
  readonly scope: string | null
  readonly audience: string | null
}): void => {
  const { preset, issuer, authentication, scope, audience } = settings
  const { authentications, needs, audienceParameters } = rules[preset]
  checkIssuerOfPreset(preset, issuer)
  if (!authentications.includes(authentication))
    throw invalidField('Authentication', 'not_authentication_of_preset', {
      accepted: authentications.join(' or '),
      preset,
      value: authentication,
    })
  if (needs.includes('Scope') && scope === null) throw invalidField('Scope', 'required_by_preset', { preset })
  if (needs.includes('Audience') && audience === null)
    throw invalidField('Audience', 'required_by_preset', { preset })
  if (audience !== null && audienceParameters.length === 0 && authentication !== 'service_account')
    throw invalidField('Audience', 'audience_not_in_preset', { preset })
}
