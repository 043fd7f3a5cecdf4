import { messageOf } from '@zoetrope/vocabulary'
import type { Database, Tx } from '../../../platform/db/database.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { invalidField, Problem } from '../../../platform/base/problem.ts'
import type { Secrets } from '../../../platform/base/secrets.ts'
import { checkProvider } from './check-provider.ts'
import { checkSignIn } from './check-sign-in.ts'
import { dropOtherClientKeys, findClientKey, newestClientKey } from '../store/client-keys.ts'
import {
  changedMeanwhile,
  checkUnchanged,
  findConnection,
  lockAccount,
  putConnection,
  tokenRequestOf,
  type ConnectionRow,
  type CredentialRow,
} from '../store/connection-store.ts'
import { newWebhookSigningKey } from '../store/key-pairs.ts'
import type { ConnectBody } from '../provider/partner-schemas.ts'
import { checkPreset, defaultAuthentication } from '../provider/presets.ts'
import { failureOf } from '../provider/provider-failure.ts'
import { parseServiceAccountKey } from '../provider/request-token.ts'
import { signInClientOf, type SignInRow } from '../sign-in/sign-in-client.ts'
import { mergedSignIn, redirectUriOf } from './sign-in-settings.ts'
import { beginKeys } from '../store/webhook-signing-keys.ts'

export interface ConnectOptions {
  readonly database: Database
  readonly secrets: Secrets
  readonly agent: GuardedAgent
  readonly publicUrl: string
}

type Settings = Omit<CredentialRow, 'sealed_client_secret' | 'client_key_id'>

const needed = (field: string): Problem => invalidField(field, 'required_to_connect')

/**
 * Merges a request into the settings: absent = unchanged, null = cleared or default. Throws 'invalid' with
 * the field, or 'not_found' when no provider is connected and the request is empty.
 */
const mergedSettings = (
  accountId: number,
  body: ConnectBody,
  before: ConnectionRow | undefined,
): Settings => {
  if (before === undefined && Object.keys(body).length === 0) throw new Problem('provider_settings_missing')
  const preset = body.Preset ?? before?.preset ?? 'custom'
  const issuer = body.Issuer ?? before?.issuer
  const clientId = body.ClientId ?? before?.client_id
  if (issuer === undefined) throw needed('Issuer')
  if (clientId === undefined) throw needed('ClientId')
  const formerAuthentication = preset === before?.preset ? before.authentication : undefined
  const authentication =
    body.Authentication === undefined
      ? (formerAuthentication ?? defaultAuthentication(preset))
      : (body.Authentication ?? defaultAuthentication(preset))
  const scope = body.Scope === undefined ? (before?.scope ?? null) : body.Scope
  const audience = body.Audience === undefined ? (before?.audience ?? null) : body.Audience
  checkPreset({ preset, issuer, authentication, scope, audience })
  return { account_id: accountId, preset, issuer, client_id: clientId, authentication, scope, audience }
}

/**
 * A stored secret is sent only to the client and issuer it was entered for. Otherwise a caller who may change
 * the connection could send it anywhere.
 */
const isForSameClient = (settings: Settings, before: ConnectionRow): boolean =>
  before.preset === settings.preset &&
  before.issuer === settings.issuer &&
  before.client_id === settings.client_id &&
  before.authentication === settings.authentication

const sealedSecret = (
  secrets: Secrets,
  settings: Settings,
  secret: string | undefined,
  before: ConnectionRow | undefined,
): Buffer | null => {
  if (settings.authentication === 'private_key_jwt') {
    if (secret === undefined) return null
    throw invalidField('ClientSecret', 'not_needed_with_client_key')
  }
  if (secret === undefined) {
    const kept =
      before !== undefined && isForSameClient(settings, before) ? before.sealed_client_secret : null
    if (kept === null) throw invalidField('ClientSecret', 'client_secret_missing')
    return kept
  }
  if (settings.authentication === 'service_account') checkServiceAccountKey(secret)
  return secrets.workers.seal(Buffer.from(secret, 'utf8'))
}

const checkServiceAccountKey = (pem: string): void => {
  try {
    parseServiceAccountKey(pem)
  } catch {
    throw invalidField('ClientSecret', 'not_private_key')
  }
}

/** Returns the newest client key; connecting with it replaces the former one. */
const clientKeyId = async (
  { kysely }: Database,
  { account_id, authentication }: Settings,
): Promise<string | null> => {
  if (authentication !== 'private_key_jwt') return null
  const key = await newestClientKey(kysely, account_id)
  if (key === undefined) throw invalidField('Authentication', 'client_key_missing')
  return key.kid
}

const fieldOf = { discovery: 'Issuer', keys: 'Issuer', token: 'ClientId', 'sign-in': 'SignIn' } as const

export interface ConnectHooks {
  /** Throws to refuse the change, given the current connection. */
  readonly check: (before: ConnectionRow | undefined) => Promise<void>
  /** Writes the audit entry in the transaction of the change. */
  readonly record: (tx: Tx, before: ConnectionRow | undefined, after: ConnectionRow) => Promise<void>
}

/**
 * Tests the settings at the provider and stores them only on success. Throws 'invalid' with the failed step,
 * and 'conflict' after a concurrent change.
 */
export const connectProvider = async (
  options: ConnectOptions,
  accountId: number,
  body: ConnectBody,
  { check, record }: ConnectHooks,
): Promise<ConnectionRow> => {
  const { database, secrets } = options
  const before = await findConnection(database.kysely, accountId)
  await check(before)
  const merged = mergedSettings(accountId, body, before)
  const settings = {
    ...merged,
    sealed_client_secret: sealedSecret(secrets, merged, body.ClientSecret, before),
    client_key_id: await clientKeyId(database, merged),
    ...mergedSignIn(secrets, body, before, merged),
  }
  const endpoints = await testSettings(options, settings)
  const signingKey = before === undefined ? await newWebhookSigningKey(secrets.workers) : null
  return database.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    checkUnchanged(await findConnection(tx, accountId), before?.version ?? null)
    const row = await putConnection(tx, {
      ...settings,
      token_endpoint: endpoints.tokenEndpoint,
      key_set_uri: endpoints.keySetUri,
    })
    if (signingKey !== null) await beginKeys(tx, accountId, signingKey)
    if (row.client_key_id !== null) await keepClientKey(tx, accountId, row.client_key_id)
    await record(tx, before, row)
    return row
  })
}

/** Deletes the former client keys. Throws 'conflict' when the key was replaced during the test. */
const keepClientKey = async (tx: Tx, accountId: number, kid: string): Promise<void> => {
  if ((await findClientKey(tx, accountId, kid)) === undefined) throw changedMeanwhile()
  await dropOtherClientKeys(tx, accountId, kid)
}

const testSettings = async ({ database, secrets, agent, publicUrl }: ConnectOptions, settings: SignInRow) => {
  try {
    const request = await tokenRequestOf(database, secrets.workers, settings)
    const endpoints = await checkProvider(agent, request)
    if (settings.sign_in_is_enabled) {
      const client = signInClientOf(secrets, settings, request)
      await checkSignIn(agent, client, redirectUriOf(publicUrl, settings.account_id))
    }
    return endpoints
  } catch (error) {
    const failure = failureOf(error)
    throw invalidField(fieldOf[failure.step], 'provider_test_failed', { cause: messageOf(failure) })
  }
}
