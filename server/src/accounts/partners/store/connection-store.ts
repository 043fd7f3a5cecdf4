import type { Insertable, Selectable } from 'kysely'
import type { Database, Queryable, Tx } from '../../../platform/db/database.ts'
import type { IdentityProvidersTable } from '../../../platform/db/tables/partners.ts'
import { storedParams } from '../../../platform/base/message.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import { findClientKey } from './client-keys.ts'
import type { ProviderEndpoints } from '../provider/discover-provider.ts'
import { openKey } from './key-pairs.ts'
import type { ProviderFailure } from '../provider/provider-failure.ts'
import type { TokenRequest } from '../provider/request-token.ts'

export type ConnectionRow = Selectable<IdentityProvidersTable>

export const findConnection = (queryable: Queryable, accountId: number): Promise<ConnectionRow | undefined> =>
  queryable
    .selectFrom('identity_providers')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()

export const requireConnection = async (queryable: Queryable, accountId: number): Promise<ConnectionRow> => {
  const row = await findConnection(queryable, accountId)
  if (row === undefined) throw new Problem('provider_not_connected')
  return row
}

/** Serializes changes to the connection and keys of an account. */
export const lockAccount = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
}

export const changedMeanwhile = (): Problem => new Problem('provider_changed')

/** Throws 'conflict' unless the connection still has the tested version; null when none was connected. */
export const checkUnchanged = (row: ConnectionRow | undefined, version: number | null): void => {
  if ((row?.version ?? null) !== version) throw changedMeanwhile()
}

export const putConnection = (
  tx: Tx,
  row: Omit<Insertable<IdentityProvidersTable>, 'version' | 'credential_version' | 'connected_at'>,
): Promise<ConnectionRow> => {
  const values = {
    ...row,
    state: 'working' as const,
    state_reason: null,
    state_error_reason: null,
    state_error_params: null,
    state_since: new Date(),
    sign_in_failure: null,
    sign_in_error_reason: null,
    sign_in_error_params: null,
    sign_in_failed_at: null,
  }
  return tx
    .insertInto('identity_providers')
    .values(values)
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({
        ...values,
        version: set('identity_providers.version', '+', 1),
        credential_version: set('identity_providers.credential_version', '+', 1),
        updated_at: new Date(),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Makes workers reload the connection within a second. */
export const bumpVersion = async (tx: Tx, accountId: number): Promise<void> => {
  await tx
    .updateTable('identity_providers')
    .set((set) => ({ version: set('version', '+', 1), updated_at: new Date() }))
    .where('account_id', '=', accountId)
    .execute()
}

/** Makes workers request a new token after a test, at the endpoints of the current discovery document. */
export const renewConnection = async (
  tx: Tx,
  accountId: number,
  endpoints: ProviderEndpoints | null,
): Promise<void> => {
  await tx
    .updateTable('identity_providers')
    .set((set) => ({
      ...(endpoints === null
        ? {}
        : { token_endpoint: endpoints.tokenEndpoint, key_set_uri: endpoints.keySetUri }),
      version: set('version', '+', 1),
      credential_version: set('credential_version', '+', 1),
    }))
    .where('account_id', '=', accountId)
    .execute()
}

export const deleteConnection = async (tx: Tx, accountId: number): Promise<void> => {
  await tx.deleteFrom('identity_providers').where('account_id', '=', accountId).execute()
}

/**
 * Writes the state of the connection; a null failure means working. Returns whether the state changed. A
 * connection with another version is not updated.
 */
export const storeState = async (
  queryable: Queryable,
  { account_id, version }: Pick<ConnectionRow, 'account_id' | 'version'>,
  failure: ProviderFailure | null,
): Promise<boolean> => {
  const state = failure === null ? 'working' : failure.kind === 'refused' ? 'broken' : 'unreachable'
  const { numUpdatedRows } = await queryable
    .updateTable('identity_providers')
    .set({
      state,
      state_reason: failure?.message ?? null,
      state_error_reason: failure?.reason ?? null,
      state_error_params: failure === null ? null : storedParams(failure.params),
      state_since: new Date(),
    })
    .where('account_id', '=', account_id)
    .where('version', '=', version)
    .where('state', '<>', state)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Writes the sign-in failure; null means that sign-in works. Writes only changes, and only for the same
 * version of the connection.
 */
export const storeSignInState = async (
  queryable: Queryable,
  { account_id, version }: Pick<ConnectionRow, 'account_id' | 'version'>,
  failure: ProviderFailure | null,
): Promise<void> => {
  const text = failure?.message ?? null
  await queryable
    .updateTable('identity_providers')
    .set({
      sign_in_failure: text,
      sign_in_error_reason: failure?.reason ?? null,
      sign_in_error_params: failure === null ? null : storedParams(failure.params),
      sign_in_failed_at: failure === null ? null : new Date(),
    })
    .where('account_id', '=', account_id)
    .where('version', '=', version)
    .where('sign_in_failure', 'is distinct from', text)
    .execute()
}

export type CredentialRow = Pick<
  ConnectionRow,
  | 'account_id'
  | 'preset'
  | 'issuer'
  | 'client_id'
  | 'authentication'
  | 'sealed_client_secret'
  | 'client_key_id'
  | 'scope'
  | 'audience'
>

export const tokenRequestOf = async (
  { kysely }: Database,
  secrets: Sealer<'workers'>,
  row: CredentialRow,
): Promise<Omit<TokenRequest, 'tokenEndpoint'>> => {
  const clientKey =
    row.client_key_id === null ? undefined : await findClientKey(kysely, row.account_id, row.client_key_id)
  return {
    preset: row.preset,
    issuer: row.issuer,
    clientId: row.client_id,
    authentication: row.authentication,
    clientSecret:
      row.sealed_client_secret === null ? null : secrets.open(row.sealed_client_secret).toString('utf8'),
    clientKey:
      clientKey === undefined
        ? null
        : { kid: clientKey.kid, privateKey: openKey(secrets, clientKey.sealed_private_key) },
    scope: row.scope,
    audience: row.audience,
  }
}
