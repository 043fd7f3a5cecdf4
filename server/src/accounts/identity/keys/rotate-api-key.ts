import type { Tx } from '../../../platform/db/database.ts'
import { formatOf, type ApiKeyRow } from '../store/api-key-record.ts'
import { changeApiKey } from '../store/api-key-store.ts'
import { issueApiKey, type IssuedApiKey } from '../authentication/api-keys.ts'
import type { SigningKeys } from '../authentication/signing-keys.ts'

export const sameLifetime = (key: ApiKeyRow): Date | null =>
  key.expires_at === null
    ? null
    : new Date(Math.floor((Date.now() + key.expires_at.getTime() - key.created_at.getTime()) / 1_000) * 1_000)

/**
 * Issues a key with the rights of the old one, in one transaction. The old key expires after the overlap, at
 * once if that is 0, or at its earlier expiry.
 */
export const rotateApiKey = async (
  tx: Tx,
  signingKeys: SigningKeys,
  issuer: string,
  key: ApiKeyRow,
  wanted: { readonly overlapSeconds: number; readonly expiresAt: Date | null },
): Promise<IssuedApiKey> => {
  const issued = await issueApiKey(tx, signingKeys, issuer, {
    accountId: key.account_id,
    userId: key.user_id,
    label: key.label,
    scopes: key.scopes,
    projectIds: key.project_ids,
    expiresAt: wanted.expiresAt,
    allowedNetworks: key.allowed_networks,
    format: formatOf(key),
  })
  const nowMs = Math.floor(Date.now() / 1_000) * 1_000
  const endMs = Math.min(key.expires_at?.getTime() ?? Infinity, nowMs + wanted.overlapSeconds * 1_000)
  await changeApiKey(
    tx,
    key,
    wanted.overlapSeconds === 0 ? { revoked_at: new Date() } : { expires_at: new Date(endMs) },
  )
  return issued
}
