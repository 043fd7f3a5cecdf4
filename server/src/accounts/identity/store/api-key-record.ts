import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { ApiKeysTable } from '../../../platform/db/tables/sign-in.ts'
import { toTimestamp, toTimestampOrNull } from '../../../platform/base/timestamp.ts'

export type ApiKeyRow = Selectable<ApiKeysTable>

/** A JWT, or a short random token. */
export type TokenFormat = 'jwt' | 'opaque'

const labelSchema = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  examples: ['Newsroom back end'],
})

const scopesSchema = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  description:
    'Permissions such as `files:upload`, families such as `files:*`, or `*` for everything that the role of the user allows.',
  examples: [['files:*', 'projects:read']],
})

const networksSchema = Type.Array(Type.String({ minLength: 2, maxLength: 50 }), {
  maxItems: 50,
  examples: [['203.0.113.0/24', '2001:db8::/32']],
})

const projectIdsSchema = Type.Array(idSchema, {
  minItems: 1,
  maxItems: 500,
  description: 'Projects that the key may use. Null means every project of the user.',
})

export const exampleApiKey = {
  Id: '3f2b8a52-6a0e-4c1c-9a57-0d6f2f9f1c11',
  Label: 'Newsroom back end',
  UserId: 7,
  Scopes: ['files:*', 'projects:read'],
  ProjectIds: [3],
  LastFour: 'x7Qg',
  Format: 'jwt',
  IsEnabled: true,
  CreatedAt: '2026-03-01T12:00:00+00:00',
  ExpiresAt: '2027-03-01T12:00:00+00:00',
  RevokedAt: null,
  LastUsedAt: '2026-03-02T08:15:30+00:00',
  LastUsedAddress: '203.0.113.7',
  AllowedNetworks: ['203.0.113.0/24'],
}

const formatSchema = Type.Union([Type.Literal('jwt'), Type.Literal('opaque')], {
  description:
    'Form of the token: `jwt`, or `opaque` for a short one of 35 characters that begins with `zk_`.',
  examples: ['jwt'],
})

const keyFields = {
  Id: Type.String({ format: 'uuid', description: 'Identifier of the API key.' }),
  Label: Type.String({ description: 'Name of the API key, for your team.' }),
  UserId: Type.Integer({ description: 'Owner. The key never has more rights than this user.' }),
  Scopes: Type.Array(Type.String(), {
    description: 'Permissions of the key. The role of the user may limit them further.',
  }),
  ProjectIds: nullable(
    Type.Array(Type.Integer()),
    'Projects that the key may use. Null means every project of the user.',
  ),
  LastFour: Type.String({ description: 'Last four characters of the token.' }),
  Format: formatSchema,
  IsEnabled: Type.Boolean({ description: 'Whether the key works: neither revoked nor expired.' }),
  CreatedAt: described(timestampSchema, 'Time at which the key was created.'),
  ExpiresAt: nullable(timestampSchema, 'Time at which the key expires. Null means never.'),
  RevokedAt: nullable(timestampSchema, 'Time at which the key was revoked. Null if it was not.'),
  LastUsedAt: nullable(timestampSchema, 'Time of the last request with the key. Null if there was none.'),
  LastUsedAddress: nullable(
    Type.String(),
    'Network address of the last request with the key. Null if there was none.',
  ),
  AllowedNetworks: nullable(
    Type.Array(Type.String()),
    'Networks that the key may be used from, in CIDR notation. Null means all.',
  ),
}

export const apiKeySchema = Type.Object(keyFields, {
  description: 'A long-lived token of one user, without the token itself.',
  examples: [exampleApiKey],
})

export const newApiKeySchema = Type.Object(
  {
    ...keyFields,
    Token: Type.String({
      description: 'The token to send as `Authorization: Bearer`. It is shown only once.',
    }),
  },
  {
    description: 'A new API key with its token.',
    examples: [
      {
        ...exampleApiKey,
        LastUsedAt: null,
        LastUsedAddress: null,
        Token: 'eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.e30.x7Qg',
      },
    ],
  },
)

export const createApiKeySchema = Type.Object(
  {
    Label: described(labelSchema, 'Name of the API key, for your team.'),
    UserId: Type.Optional(
      Type.Integer({ ...idSchema, description: 'Owner of the key. Default: the caller.' }),
    ),
    Scopes: Type.Optional(scopesSchema),
    ProjectIds: Type.Optional(nullable(projectIdsSchema)),
    Format: Type.Optional(
      nullable(
        formatSchema,
        'Form of the token. Default `jwt`; `opaque` is short. A rotated key keeps its form.',
      ),
    ),
    ExpiresAt: Type.Optional(
      Type.Union([timestampSchema, Type.Null()], {
        description:
          'Time at which the key expires, in whole seconds. Null means never. A key cannot create a key that outlives it; by default the new key expires with the calling key, after the `MaxLifetimeDays` of the account, or never.',
      }),
    ),
    AllowedNetworks: Type.Optional(
      nullable(
        networksSchema,
        'Networks that the key may be used from: CIDR notation, or single addresses. Null or an empty list means all. Default: the networks of the calling key.',
      ),
    ),
  },
  {
    examples: [{ Label: 'Newsroom back end', Scopes: ['files:*', 'projects:read'], ProjectIds: [3] }],
  },
)

export const updateApiKeySchema = Type.Object(
  {
    Label: Type.Optional(described(labelSchema, 'Name of the API key, for your team.')),
    Scopes: Type.Optional(scopesSchema),
    ProjectIds: Type.Optional(nullable(projectIdsSchema)),
    ExpiresAt: Type.Optional(nullable(timestampSchema, 'Time at which the key expires. Null means never.')),
    AllowedNetworks: Type.Optional(
      nullable(
        networksSchema,
        'Networks that the key may be used from: CIDR notation, or single addresses. Null or an empty list means all.',
      ),
    ),
  },
  { examples: [{ Label: 'Newsroom, read only', Scopes: ['files:read'] }] },
)

export const maxOverlapSeconds = 604_800
export const defaultOverlapSeconds = 86_400

export const rotateApiKeySchema = Type.Object(
  {
    OverlapSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxOverlapSeconds,
        description: `How long the old key keeps working, in seconds. 0 revokes it at once. Default ${defaultOverlapSeconds}.`,
      }),
    ),
    ExpiresAt: Type.Optional(
      Type.Union([timestampSchema, Type.Null()], {
        description:
          'Time at which the new key expires. Null means never. By default it gets the lifetime of the old key, but it never outlives the calling key or the `MaxLifetimeDays` of the account.',
      }),
    ),
  },
  { examples: [{ OverlapSeconds: 3_600 }] },
)

export const isLive = ({ revoked_at, expires_at }: Pick<ApiKeyRow, 'revoked_at' | 'expires_at'>): boolean =>
  revoked_at === null && (expires_at === null || expires_at.getTime() > Date.now())

export const formatOf = ({ token_hash }: Pick<ApiKeyRow, 'token_hash'>): TokenFormat =>
  token_hash === null ? 'jwt' : 'opaque'

export const apiKeyRecord = (row: ApiKeyRow) => ({
  Id: row.jti,
  Label: row.label,
  UserId: row.user_id,
  Scopes: row.scopes,
  ProjectIds: row.project_ids,
  LastFour: row.last_four,
  Format: formatOf(row),
  IsEnabled: isLive(row),
  CreatedAt: toTimestamp(row.created_at),
  ExpiresAt: toTimestampOrNull(row.expires_at),
  RevokedAt: toTimestampOrNull(row.revoked_at),
  LastUsedAt: toTimestampOrNull(row.last_used_at),
  LastUsedAddress: row.last_used_address,
  AllowedNetworks: row.allowed_networks,
})
