import { Type } from 'typebox'
import type { Principal } from '../../platform/http/requests/authenticate.ts'
import type { Tx } from '../../platform/db/database.ts'
import { detailOf, invalidField, issue, Problem } from '../../platform/base/problem.ts'
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
    throw invalidField(field, 'not_external_id', { max: maxLength })
  return text
}

export const externalIdDetails = { details: [detailOf('ExternalId', issue('external_id_taken'))] }

/** Does not name the record, because the caller may not see it. */
export const externalIdTaken = (externalId: string, kind: 'project' | 'playlist'): Problem =>
  new Problem('external_id_in_use', { externalId, kind }, externalIdDetails)

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
  if (projectIds !== null && !projectIds.includes(other.id)) throw externalIdTaken(externalId, 'project')
  throw new Problem('external_id_of_project', { externalId, projectId: other.id }, externalIdDetails)
}
