import { Type, type Static, type TSchema } from 'typebox'
import { messageParamsSchema } from '../../../platform/http/openapi/message-schema.ts'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { presets, type Authentication } from './presets.ts'

const oneOf = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description })

const authentications = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'service_account',
] as const satisfies readonly Authentication[]

const preset = oneOf(
  presets,
  'Kind of provider, which determines the required fields. Use `custom` for any other provider.',
)
const issuer = Type.String({
  minLength: 8,
  maxLength: 1_024,
  pattern: '^[\\x21-\\x7e]+$',
  examples: ['https://login.example.com/realms/main'],
  description:
    'Issuer URL, exactly as in the discovery document of the provider, which is at `/.well-known/openid-configuration` below it.',
})
const clientId = Type.String({
  minLength: 1,
  maxLength: 512,
  pattern: '^[\\x20-\\x7e]+$',
  examples: ['zoetrope'],
  description: 'Client ID. With `service_account`, the e-mail address of the service account.',
})
const authentication = oneOf(
  authentications,
  'How Zoetrope authenticates to the provider. `private_key_jwt` uses the client key. `service_account` uses the private key of a Google service account, which you send as `ClientSecret`.',
)
const printable = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 1_024,
    pattern: '^[\\x20-\\x7e]+$',
    examples: [example],
    description,
  })
const scope = printable('Scopes to request, separated by spaces.', 'webhooks/send')
const audience = printable('Audience of the tokens.', 'https://hooks.example.com')

const signInIsEnabled = Type.Boolean({ description: 'Whether users can sign in with this provider.' })
const signInClientId = nullable(
  Type.String({
    ...clientId,
    description:
      'Client ID for sign-in (authorization code flow). Null means that sign-in uses the client of the webhook deliveries.',
  }),
)

export const connectSchema = Type.Object(
  {
    Preset: Type.Optional(preset),
    Issuer: Type.Optional(issuer),
    ClientId: Type.Optional(clientId),
    Authentication: Type.Optional(nullable(authentication)),
    ClientSecret: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8_192,
        description:
          'Client secret. It is never returned. Send it again when you change `Preset`, `Issuer`, `ClientId` or `Authentication`.',
      }),
    ),
    Scope: Type.Optional(nullable(scope)),
    Audience: Type.Optional(nullable(audience)),
    SignIn: Type.Optional(
      nullable(
        Type.Object(
          {
            IsEnabled: Type.Optional(nullable(signInIsEnabled)),
            ClientId: Type.Optional(signInClientId),
            ClientSecret: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 8_192,
                description:
                  'Secret of the client `SignIn.ClientId`. It is never returned. Send it again when you change that client, `Issuer` or `Preset`.',
              }),
            ),
          },
          {
            description:
              'Sign-in with this provider. Because the provider then controls who signs in, only callers with all permissions in the account can enable it, and the request must include `Issuer`.',
          },
        ),
      ),
    ),
  },
  {
    examples: [
      {
        Preset: 'keycloak',
        Issuer: 'https://login.example.com/realms/main',
        ClientId: 'zoetrope',
        ClientSecret: 'kX3vQm2T0yWn',
        Scope: 'webhooks/send',
        SignIn: { IsEnabled: true, ClientId: 'zoetrope-people', ClientSecret: 'b8Kq0cVw5RzN' },
      },
    ],
  },
)

export const checkIssuerSchema = Type.Object(
  { Preset: Type.Optional(preset), Issuer: issuer },
  { examples: [{ Preset: 'keycloak', Issuer: 'https://login.example.com/realms/main' }] },
)

export type ConnectBody = Static<typeof connectSchema>

export const rotateKeysSchema = Type.Object(
  {
    IsCompromised: Type.Optional(
      nullable(
        Type.Boolean({
          description:
            'Whether a key may have leaked. True retires all current keys at once, without an overlap. Default: false.',
        }),
      ),
    ),
  },
  { examples: [{ IsCompromised: false }] },
)

const exampleKid = '3f6f1c52-7a0e-4b1e-9a55-0d0a3f0b6f11'

const signingKeySchema = Type.Object({
  Kid: Type.String({ examples: [exampleKid], description: 'Identifier of the key.' }),
  IsActive: Type.Boolean({ description: 'Whether deliveries are signed with this key.' }),
  ActiveFrom: described(timestampSchema, 'Time from which the key signs deliveries.'),
  PublishedUntil: Type.Union([timestampSchema, Type.Null()], {
    description: 'Time at which the key is removed from the key set. Null until the key is replaced.',
  }),
})

const providerFields = {
  Id: described(idSchema, 'Identifier of the connection.'),
  Preset: preset,
  Issuer: issuer,
  ClientId: clientId,
  Authentication: authentication,
  HasClientSecret: Type.Boolean({ description: 'Whether a client secret is stored.' }),
  Scope: Type.Union([scope, Type.Null()]),
  Audience: Type.Union([audience, Type.Null()]),
  TokenEndpoint: Type.String({ description: 'Token endpoint, from the discovery document.' }),
  ProviderKeySetURI: Type.String({
    description: 'URL of the key set of the provider. Receivers verify the access token with it.',
  }),
  State: oneOf(
    ['working', 'unreachable', 'broken'],
    '`unreachable`: the provider does not respond, and deliveries wait when its last token has expired. `broken`: the provider rejects the settings, and deliveries wait until you correct them.',
  ),
  StateReason: Type.Union([Type.String(), Type.Null()], {
    description: 'Reason of the last failure. Null while the connection works.',
  }),
  StateErrorReason: nullable(
    Type.String({ examples: ['provider_refused_token'] }),
    'Stable name of `StateReason`, for translations. Null while the connection works, and for failures of older releases.',
  ),
  StateErrorParams: nullable(
    messageParamsSchema,
    'Values in `StateReason`. Null without `StateErrorReason`.',
  ),
  StateSince: described(timestampSchema, 'Time of the last change of `State`.'),
  SignIn: Type.Object(
    {
      IsEnabled: signInIsEnabled,
      ClientId: signInClientId,
      HasClientSecret: Type.Boolean({ description: 'Whether a client secret for sign-in is stored.' }),
      RedirectURI: Type.String({ description: 'Redirect URI to register at the provider.' }),
      FailureReason: Type.Union([Type.String(), Type.Null()], {
        description: 'Reason why the provider failed the last sign-in. Null while sign-in works.',
      }),
      ErrorReason: nullable(
        Type.String({ examples: ['provider_refused_client'] }),
        'Stable name of `FailureReason`, for translations. Null while sign-in works, and for failures of older releases.',
      ),
      ErrorParams: nullable(messageParamsSchema, 'Values in `FailureReason`. Null without `ErrorReason`.'),
      FailedAt: nullable(timestampSchema, 'Time of the last failed sign-in. Null if there is none.'),
    },
    { description: 'Sign-in to the console with this provider.' },
  ),
  SigningKeySetURI: Type.String({
    description: 'URL of the key set of this installation. Receivers verify `Webhook-Identity` with it.',
  }),
  SigningKeys: Type.Array(signingKeySchema, {
    maxItems: 100,
    description: 'Public keys of the account, including retired keys that are still published.',
  }),
  ConnectedAt: described(timestampSchema, 'Time at which the provider was connected.'),
  LastUpdateAt: described(timestampSchema, 'Time of the last change of the connection.'),
}

const exampleTime = '2026-03-01T12:00:00.000+00:00'
const exampleProvider = {
  Id: 1,
  Preset: 'keycloak',
  Issuer: 'https://login.example.com/realms/main',
  ClientId: 'zoetrope',
  Authentication: 'client_secret_basic',
  HasClientSecret: true,
  Scope: 'webhooks/send',
  Audience: null,
  TokenEndpoint: 'https://login.example.com/realms/main/protocol/openid-connect/token',
  ProviderKeySetURI: 'https://login.example.com/realms/main/protocol/openid-connect/certs',
  State: 'working',
  StateReason: null,
  StateErrorReason: null,
  StateErrorParams: null,
  StateSince: exampleTime,
  SignIn: {
    IsEnabled: true,
    ClientId: 'zoetrope-people',
    HasClientSecret: true,
    RedirectURI: 'https://video.example.com/signin/sso/callback/1',
    FailureReason: null,
    ErrorReason: null,
    ErrorParams: null,
    FailedAt: null,
  },
  SigningKeySetURI: 'https://video.example.com/.well-known/jwks.json',
  SigningKeys: [{ Kid: exampleKid, IsActive: true, ActiveFrom: exampleTime, PublishedUntil: null }],
  ConnectedAt: exampleTime,
  LastUpdateAt: exampleTime,
}

const identityProviderSchema = Type.Object(providerFields, {
  description:
    'The identity provider that issues the access tokens of webhook deliveries, and with which users can sign in.',
  examples: [exampleProvider],
})

const exampleClientKey = {
  Kid: exampleKid,
  PublicKey: { kty: 'RSA', n: 'u1W…', e: 'AQAB', kid: exampleKid, alg: 'RS256', use: 'sig' },
  KeySetURI: `https://video.example.com/.well-known/clients/${exampleKid}/jwks.json`,
  IsInUse: true,
  CreatedAt: exampleTime,
}

const clientKeySchema = Type.Object(
  {
    Kid: Type.String({ description: 'Identifier of the key.' }),
    PublicKey: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Public key as a JWK, to register at the provider.',
    }),
    KeySetURI: Type.String({
      description:
        'URL of the key as a key set, for providers that fetch keys. It does not change when the key is replaced.',
    }),
    IsInUse: Type.Boolean({
      description: 'Whether the connection uses this key. It uses a new key after you connect again.',
    }),
    CreatedAt: described(timestampSchema, 'Time at which the key was created.'),
  },
  {
    description: 'The key with which Zoetrope authenticates to the provider (`private_key_jwt`).',
    examples: [exampleClientKey],
  },
)

const partnersSchema = Type.Object(
  {
    IdentityProvider: Type.Union([identityProviderSchema, Type.Null()], {
      description: 'The connected identity provider. Null if there is none.',
    }),
    ClientKey: Type.Union([clientKeySchema, Type.Null()], {
      description: 'The key with which Zoetrope authenticates to the provider. Null if there is none.',
    }),
  },
  {
    description: 'The connections of the account to other services.',
    examples: [{ IdentityProvider: exampleProvider, ClientKey: exampleClientKey }],
  },
)

const failureFields = {
  Reason: nullable(
    Type.String({ examples: ['provider_refused_token'] }),
    'Stable name of the failure in `Message`, for translations. Null if all steps succeeded.',
  ),
  Params: nullable(messageParamsSchema, 'Values in `Message`. Null without `Reason`.'),
}

const testSchema = Type.Object(
  {
    IsWorking: Type.Boolean({ description: 'Whether all steps succeeded.' }),
    FailedStep: Type.Union(
      [
        oneOf(
          ['discovery', 'keys', 'token', 'sign-in'],
          '`discovery`: the discovery document; `keys`: the key set of the provider; `token`: the request for an access token; `sign-in`: the client of the sign-in.',
        ),
        Type.Null(),
      ],
      { description: 'The failed step. Null if all steps succeeded.' },
    ),
    Message: Type.String({ description: 'Result as text.' }),
    ...failureFields,
  },
  {
    description: 'Result of a connection test.',
    examples: [
      {
        IsWorking: false,
        FailedStep: 'token',
        Message: 'https://login.example.com/token returned no token: invalid_client.',
        Reason: 'provider_refused_token',
        Params: { url: 'https://login.example.com/token', words: 'invalid_client' },
      },
    ],
  },
)

const issuerCheckSchema = Type.Object(
  {
    IsWorking: Type.Boolean({ description: 'Whether the discovery document and the key set are usable.' }),
    FailedStep: nullable(
      oneOf(
        ['discovery', 'keys'],
        '`discovery`: the discovery document; `keys`: the key set of the provider.',
      ),
      'The failed step. Null if both steps succeeded.',
    ),
    Message: Type.String({ description: 'Result as text.' }),
    ...failureFields,
    TokenEndpoint: nullable(
      Type.String(),
      'Token endpoint, from the discovery document. Null if a step failed.',
    ),
    ProviderKeySetURI: nullable(Type.String(), 'Key set URL of the provider. Null if a step failed.'),
  },
  {
    description: 'Result of the check of an issuer.',
    examples: [
      {
        IsWorking: true,
        FailedStep: null,
        Message: 'The discovery document and the key set are readable.',
        Reason: null,
        Params: null,
        TokenEndpoint: 'https://login.example.com/realms/main/protocol/openid-connect/token',
        ProviderKeySetURI: 'https://login.example.com/realms/main/protocol/openid-connect/certs',
      },
    ],
  },
)

export const partnerSchemas: Readonly<Record<string, TSchema>> = {
  IdentityProvider: identityProviderSchema,
  ClientKey: clientKeySchema,
  Partners: partnersSchema,
  IdentityProviderTest: testSchema,
  IssuerCheckResult: issuerCheckSchema,
}
