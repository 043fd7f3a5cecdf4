import { Type } from 'typebox'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import type { Tx } from '../../platform/db/database.ts'
import { invalidField, Problem } from '../../platform/base/problem.ts'
import { nullable } from '../../platform/http/requests/schemas.ts'

const meaning = 'Identifier of the record in your system'

/** The pattern excludes commas, which separate references in a filter. */
const pattern =
  '^[^\\s,\\u0000-\\u001f\\u007f-\\u009f]([^,\\u0000-\\u001f\\u007f-\\u009f]*[^\\s,\\u0000-\\u001f\\u007f-\\u009f])?$'
const maxLength = 255

export const externalIdText = (scope: string) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern,
    description: `${meaning}, unique in ${scope}. At most ${maxLength} characters, without commas and control characters.`,
    examples: ['cms-4711'],
  })

export const externalIdSchema = (scope: string) => nullable(externalIdText(scope))

/** Validates a reference from outside JSON: a form field, a query parameter or tus metadata. */
export const parseExternalId = (text: string, field: string): string => {
  if (text.length > maxLength || !new RegExp(pattern, 'u').test(text) || !text.isWellFormed())
    throw invalidField(
      field,
      `must have 1 to ${maxLength} characters without commas, control characters and white space at its ends.`,
    )
  return text
}

/** `owner` is null when the caller must not learn which record has the reference. */
export const externalIdTaken = (
  externalId: string,
  owner: {
    readonly kind: 'file' | 'project' | 'playlist'
    readonly id: number | null
    readonly where?: string
  },
): Problem => {
  const name = owner.id === null ? `another ${owner.kind}` : `${owner.kind} ${owner.id}`
  return new Problem(
    'conflict',
    `The ExternalId "${externalId}" belongs to ${name}${owner.where ?? ''}; choose another one, or change that ${owner.kind} first.`,
    { details: [{ field: 'ExternalId', issue: `belongs to ${name}` }] },
  )
}

/**
 * Until the transaction ends, no other transaction can assign references to projects or playlists of the
 * account.
 */
export const lockExternalIds = async (tx: Tx, accountId: number): Promise<void> => {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/**
 * Throws 'conflict' when another live project of the account has the reference. Until the transaction ends,
 * no other project can take it.
 */
export const claimProjectExternalId = async (
  tx: Tx,
  { accountId, projectIds }: Pick<Principal, 'accountId' | 'projectIds'>,
  projectId: number | null,
  externalId: string | null | undefined,
): Promise<void> => {
  if (externalId == null) return
  await lockExternalIds(tx, accountId)
  const other = await tx
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('external_id', '=', externalId)
    .where('deleted_at', 'is', null)
    .where('id', '!=', projectId ?? 0)
    .executeTakeFirst()
  if (other === undefined) return
  const isVisible = projectIds === null || projectIds.includes(other.id)
  throw externalIdTaken(externalId, { kind: 'project', id: isVisible ? other.id : null })
}
