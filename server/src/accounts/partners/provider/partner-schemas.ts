import { Type, type Static, type TSchema } from 'typebox'
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
  'Kind of provider. It decides which fields are required. `custom` is any other provider.',
)
const issuer = Type.String({
  minLength: 8,
  maxLength: 1_024,
  pattern: '^[\\x21-\\x7e]+$',
  examples: ['https://login.example.com/realms/main'],
  description:
    'Issuer URL, exactly as the provider writes it. `/.well-known/openid-configuration` must exist below it.',
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
  'How Zoetrope authenticates at the provider. `private_key_jwt` uses the client key; `service_account` uses the private key of a Google service account as `ClientSecret`.',
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

const signInIsEnabled = Type.Boolean({ description: 'Whether users may sign in with this provider.' })
const signInClientId = nullable(
  Type.String({
    ...clientId,
    description: 'Client ID for sign-in (authorization code flow). Null uses the client of the deliveries.',
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
          'Client secret. Send it again if `Preset`, `Issuer`, `ClientId` or `Authentication` changes. It is never shown.',
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
                  'Secret of the client in `SignIn.ClientId`. Send it again if that, `Issuer` or `Preset` changes. It is never shown.',
              }),
            ),
          },
          {
            description:
              'Sign-in with this provider. The provider then decides who is signed in, so only full keys may enable it, and `Issuer` must be sent along.',
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
            'Whether the key may have leaked. True retires all present keys at once, without overlap. Default false.',
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
  ActiveFrom: described(timestampSchema, 'Time from which deliveries are signed with the key.'),
  PublishedUntil: Type.Union([timestampSchema, Type.Null()], {
    description: 'Time at which the key leaves the key set. Null until it is replaced.',
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
    description: 'Key set URL of the provider, with which receivers verify the access token.',
  }),
  State: oneOf(
    ['working', 'unreachable', 'broken'],
    '`unreachable` means that the provider does not respond; deliveries wait once its token expires. `broken` means that it refuses; deliveries wait until you fix it.',
  ),
  StateReason: Type.Union([Type.String(), Type.Null()], {
    description: 'What failed last. Null while the connection works.',
  }),
  StateSince: described(timestampSchema, 'Time of the last change of `State`.'),
  SignIn: Type.Object(
    {
      IsEnabled: signInIsEnabled,
      ClientId: signInClientId,
      HasClientSecret: Type.Boolean({ description: 'Whether a client secret for sign-in is stored.' }),
      RedirectURI: Type.String({ description: 'Redirect URI to register at the provider.' }),
      FailureReason: Type.Union([Type.String(), Type.Null()], {
        description: 'Why the last sign-in failed because of the provider. Null while sign-in works.',
      }),
      FailedAt: nullable(timestampSchema, 'Time of the last failed sign-in. Null if there is none.'),
    },
    { description: 'Sign-in to the console with this provider.' },
  ),
  SigningKeySetURI: Type.String({
    description: 'URL of the key set with which receivers verify `Webhook-Identity`.',
  }),
  SigningKeys: Type.Array(signingKeySchema, {
    maxItems: 100,
    description: 'Public keys of the account, also retired ones that are still published.',
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
  StateSince: exampleTime,
  SignIn: {
    IsEnabled: true,
    ClientId: 'zoetrope-people',
    HasClientSecret: true,
    RedirectURI: 'https://video.example.com/signin/sso/callback/1',
    FailureReason: null,
    FailedAt: null,
  },
  SigningKeySetURI: 'https://video.example.com/.well-known/jwks.json',
  SigningKeys: [{ Kid: exampleKid, IsActive: true, ActiveFrom: exampleTime, PublishedUntil: null }],
  ConnectedAt: exampleTime,
  LastUpdateAt: exampleTime,
}

const identityProviderSchema = Type.Object(providerFields, {
  description: 'The identity provider whose tokens the deliveries carry, and with which users may sign in.',
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
        'URL of the key as a key set, for providers that fetch it. It stays the same after rotations.',
    }),
    IsInUse: Type.Boolean({
      description: 'Whether the connection uses the key. A new key is unused until you connect again.',
    }),
    CreatedAt: described(timestampSchema, 'Time at which the key was created.'),
  },
  {
    description: 'The key with which Zoetrope authenticates at the provider (private_key_jwt).',
    examples: [exampleClientKey],
  },
)

const partnersSchema = Type.Object(
  {
    IdentityProvider: Type.Union([identityProviderSchema, Type.Null()], {
      description: 'The connected identity provider. Null if there is none.',
    }),
    ClientKey: Type.Union([clientKeySchema, Type.Null()], {
      description: 'The key that authenticates Zoetrope at the provider. Null if there is none.',
    }),
  },
  {
    description: 'Connections of the account.',
    examples: [{ IdentityProvider: exampleProvider, ClientKey: exampleClientKey }],
  },
)

const testSchema = Type.Object(
  {
    IsWorking: Type.Boolean({ description: 'Whether every step succeeded.' }),
    FailedStep: Type.Union(
      [
        oneOf(
          ['discovery', 'keys', 'token', 'sign-in'],
          'What the provider says of itself, its key set, a token for us, or the client that people sign in with.',
        ),
        Type.Null(),
      ],
      { description: 'Step that failed. Null if all succeeded.' },
    ),
    Message: Type.String({ description: 'Explanation for people.' }),
  },
  {
    description: 'Result of a connection test.',
    examples: [
      {
        IsWorking: false,
        FailedStep: 'token',
        Message: 'https://login.example.com/token gave no token: invalid_client.',
      },
    ],
  },
)

const issuerCheckSchema = Type.Object(
  {
    IsWorking: Type.Boolean({ description: 'Whether the discovery document and the key set can be used.' }),
    FailedStep: nullable(
      oneOf(['discovery', 'keys'], 'What the provider says of itself, or its key set.'),
      'Step that failed. Null if both succeeded.',
    ),
    Message: Type.String({ description: 'Explanation for people.' }),
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
        Message: 'The provider describes itself, and its key set can be read.',
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
