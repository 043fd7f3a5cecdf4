import { Type } from 'typebox'
import type { Principal } from '../../../platform/http/requests/authenticate.ts'
import { schemaRef } from '../../../platform/http/openapi/openapi.ts'
import { described, idSchema, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import type { Database } from '../../../platform/db/database.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { exampleMe, meFields, readMe } from '../users/me-record.ts'
import type { SignInMethod } from '../../../platform/db/tables/sign-in.ts'
import { csrfTokenOf } from '../authentication/check-origin.ts'
import { readLiveSession } from '../authentication/live-session.ts'
import { maxPasswordLength } from './passwords.ts'
import type { SessionLimits, SessionRow } from '../store/session-store.ts'

const exampleSession = {
  Id: '0b7a5f1e-7d15-4f5b-9a43-2f1c5f8f6d10',
  UserId: 7,
  IsCurrent: true,
  Address: '192.0.2.7',
  UserAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  SignInMethod: 'Password',
  CreatedAt: '2026-03-01T08:30:00.000+00:00',
  LastUsedAt: '2026-03-01T12:00:00.000+00:00',
  ExpiresAt: '2026-03-31T08:30:00.000+00:00',
}

export const sessionSchema = Type.Object(
  {
    Id: Type.String({ format: 'uuid', description: 'Identifier of the session.' }),
    UserId: described(idSchema, 'User who signed in.'),
    IsCurrent: Type.Boolean({ description: 'Whether this is the session of the request.' }),
    Address: Type.String({ description: 'Network address of the sign-in.' }),
    UserAgent: Type.String({ description: 'Browser of the sign-in, as its `User-Agent` header says.' }),
    CreatedAt: described(timestampSchema, 'Time of the sign-in.'),
    SignInMethod: Type.Unsafe<SignInMethod>({
      type: 'string',
      enum: ['Password', 'Passkey', 'IdentityProvider', 'Link'],
      description: 'How the user signed in. `Link` is the sign-in link of the terminal.',
    }),
    LastUsedAt: Type.String({ ...timestampSchema, description: 'Time of the last request, to the minute.' }),
    ExpiresAt: Type.String({
      ...timestampSchema,
      description: 'Time at which the session ends at the latest. It ends earlier if it is not used.',
    }),
  },
  { description: 'A sign-in of one user in one browser.', examples: [exampleSession] },
)

export const signedInSchema = Type.Object(
  {
    ...meFields,
    ApiKey: Type.Null({ description: 'Always null in a session.' }),
    Session: schemaRef('Session'),
    MustSetUpFactor: Type.Boolean({
      description:
        'Whether the account requires a second factor that you do not have. Until you set one up, other operations return 403 with the reason `second_factor_setup_required`.',
    }),
    CsrfToken: Type.String({
      description: 'Token to send as `X-CSRF-Token` with every change made with the cookie.',
    }),
  },
  {
    description: 'The signed-in user, with permissions.',
    examples: [
      {
        ...exampleMe,
        ApiKey: null,
        Session: exampleSession,
        MustSetUpFactor: false,
        CsrfToken: 'pQ5gU0w0R0e3p3x8m2n9bVv5yq1Yt6sXc7dK4hJ2LfA',
      },
    ],
  },
)

export const newPasswordSchema = Type.String({
  minLength: 1,
  maxLength: maxPasswordLength,
  description: 'New password of at least 10 characters. It must not contain the e-mail address.',
  examples: ['three quiet lighthouses'],
})

export const sessionRecord = (row: SessionRow, { sessionId }: Pick<Principal, 'sessionId'>) => ({
  Id: row.uuid,
  UserId: row.user_id,
  IsCurrent: row.uuid === sessionId,
  Address: row.address,
  UserAgent: row.user_agent,
  SignInMethod: row.sign_in_method,
  CreatedAt: toTimestamp(row.created_at),
  LastUsedAt: toTimestamp(row.last_used_at),
  ExpiresAt: toTimestamp(row.expires_at),
})

export interface SessionRouteDependencies {
  readonly database: Database
  readonly publicUrl: string
  readonly limits: SessionLimits
}

export const renderSignedIn = async (
  database: Database,
  principal: Principal,
  row: SessionRow,
  token: string,
): Promise<string> =>
  JSON.stringify({
    ...(await readMe(database.kysely, principal)),
    Session: sessionRecord(row, principal),
    MustSetUpFactor: (await readLiveSession(database.kysely, { uuid: row.uuid }))?.mustSetUpFactor ?? false,
    CsrfToken: csrfTokenOf(token),
  })
