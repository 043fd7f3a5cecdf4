import type { Connect } from './partner-queries.ts'

export type Preset = NonNullable<Connect['Preset']>
export type Authentication = NonNullable<Connect['Authentication']>

/** Defaults of the form for each provider. The server validates the values (docs/identity-provider.md). */
export const presets = {
  entra: {
    issuer: 'https://login.microsoftonline.com/<tenant>/v2.0',
    authentications: ['client_secret_post', 'client_secret_basic'],
    needs: ['Scope'],
  },
  google: {
    issuer: 'https://accounts.google.com',
    authentications: ['service_account'],
    needs: ['Audience'],
  },
  okta: {
    issuer: 'https://example.okta.com/oauth2/default',
    authentications: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    needs: ['Scope'],
  },
  keycloak: {
    issuer: 'https://login.example.com/realms/main',
    authentications: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    needs: [],
  },
  auth0: {
    issuer: 'https://example.eu.auth0.com/',
    authentications: ['client_secret_post', 'client_secret_basic', 'private_key_jwt'],
    needs: ['Audience'],
  },
  cognito: {
    issuer: 'https://cognito-idp.<region>.amazonaws.com/<pool>',
    authentications: ['client_secret_basic', 'client_secret_post'],
    needs: ['Scope'],
  },
  custom: {
    issuer: 'https://login.example.com',
    authentications: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'service_account'],
    needs: [],
  },
} as const satisfies Record<
  Preset,
  {
    readonly issuer: string
    readonly authentications: readonly Authentication[]
    readonly needs: readonly ('Scope' | 'Audience')[]
  }
>

export const presetNames = Object.keys(presets) as Preset[]
