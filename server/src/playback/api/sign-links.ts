import { Type, type Static } from 'typebox'
import { nullable, parseInstant, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { invalidField } from '../../platform/base/problem.ts'

/** Long enough for a viewer who starts now to finish a long film. */
const defaultSeconds = 14_400
const shortestSeconds = 60
/** A leaked link expires by itself. */
const longestSeconds = 604_800

export const signSchema = Type.Object(
  {
    ValidSeconds: Type.Optional(
      nullable(
        Type.Integer({
          minimum: shortestSeconds,
          maximum: longestSeconds,
          description: `How long the links work, in seconds. Default ${defaultSeconds}.`,
        }),
      ),
    ),
    ExpiresAt: Type.Optional(
      nullable(
        Type.String({
          format: 'date-time',
          maxLength: 40,
          description: 'Time at which the links expire, within seven days. Use it instead of `ValidSeconds`.',
        }),
      ),
    ),
  },
  { description: 'How long the links work. The body may be left out.', examples: [{ ValidSeconds: 3_600 }] },
)

export const signatureFields = {
  Token: Type.String({
    description:
      'Token in the path of the links, for `data-token` and `setToken` of the player. It is valid only for these links.',
  }),
  TokenId: Type.String({
    description: 'Identifier of the token, to revoke the links before they expire.',
  }),
  ExpiresAt: Type.Unsafe<string>({ ...timestampSchema, description: 'Time at which the links expire.' }),
}

export const exampleTokenId = 'Zr0wLk4tQm1xTn9c'
export const exampleToken = `kv1.t5q3w0.${exampleTokenId}6o9fJ0zQm1w`

export const revokedLinkSchema = Type.Object(
  { Id: Type.String(), IsEnabled: Type.Boolean(), DeletedAt: timestampSchema },
  { examples: [{ Id: exampleTokenId, IsEnabled: false, DeletedAt: '2026-03-01T12:00:00+00:00' }] },
)

/** Returns the expiry of the links in whole seconds, as in the token. Throws 'invalid' with the field. */
export const endOfLinks = ({ ValidSeconds, ExpiresAt }: Static<typeof signSchema>): Date => {
  const now = Date.now()
  if (ExpiresAt == null) return wholeSeconds(now + (ValidSeconds ?? defaultSeconds) * 1_000)
  if (ValidSeconds != null) throw invalidField('ExpiresAt', 'not_combinable', { other: 'ValidSeconds' })
  const end = parseInstant(ExpiresAt, 'ExpiresAt')
  if (end.getTime() < now + 1_000 || end.getTime() > now + longestSeconds * 1_000)
    throw invalidField('ExpiresAt', 'not_within_seven_days')
  return wholeSeconds(end.getTime())
}

const wholeSeconds = (instantMs: number): Date => new Date(Math.floor(instantMs / 1_000) * 1_000)
