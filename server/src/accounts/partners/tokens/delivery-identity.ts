import type { KeyObject } from 'node:crypto'
import { recordAct, systemOf } from '../../audit/record-act.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { GuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { createThrottle } from '../../../platform/base/throttle.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'
import {
  bumpVersion,
  findConnection,
  lockAccount,
  storeState,
  tokenRequestOf,
  type ConnectionRow,
} from '../store/connection-store.ts'
import { newWebhookSigningKey, openKey } from '../store/key-pairs.ts'
import { proveRequest, type ProvableRequest } from './prove-request.ts'
import type { ProviderFailure } from '../provider/provider-failure.ts'
import { requestToken } from '../provider/request-token.ts'
import { createTokenCache, type TokenCache } from './token-cache.ts'
import { activeKey, keysOfAccount, longestUseMs, rotateKeys } from '../store/webhook-signing-keys.ts'

export interface ConnectionVersion {
  readonly accountId: number
  /** Increases with each new connection of the account. */
  readonly connectionId: number
  readonly version: number
}

/** Adds the proof of the sender to the headers of a request. */
export interface RequestProof {
  readonly headers: (request: ProvableRequest) => Record<string, string>
  /** Called when the receiver refused the token. */
  readonly distrust: () => void
}

/** The request cannot be proven now and must not be sent without proof. */
export interface Pause {
  readonly pauseMs: number
}

export interface DeliveryIdentity {
  readonly proofFor: (connection: ConnectionVersion) => Promise<RequestProof | Pause>
}

interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly active_from: Date
  readonly published_until: Date | null
}

interface OpenConnection {
  readonly id: number
  readonly version: number
  readonly credentialVersion: number
  readonly readAtMs: number
  readonly tokens: TokenCache
  readonly keys: readonly SigningKey[]
}

type StoredConnection = Pick<ConnectionRow, 'id' | 'account_id' | 'version'>

/** Upper limit, so that a repaired or removed connection takes effect within this time. */
const longestPauseMs = 1_000
/** Interval at which keys are reread, to find those due for activation or rotation. */
const rereadEveryMs = 600_000
const logFaultEveryMs = 60_000

/**
 * Creates the proofs of deliveries with each account's identity provider; one instance per delivering
 * process.
 */
export const createDeliveryIdentity = (options: {
  readonly database: Database
  readonly secrets: Sealer<'workers'>
  readonly agent: GuardedAgent
  readonly log: Log
  /** `iss` claim of the proofs. */
  readonly publicUrl: string
  readonly signal: AbortSignal
  readonly nowMs?: () => number
}): DeliveryIdentity => {
  const { database, secrets, agent, log, signal, nowMs = Date.now } = options
  const connections = new Map<number, Promise<OpenConnection | null>>()
  const mayLog = createThrottle(logFaultEveryMs)

  /** Writes the state, and an audit entry when an administrator must act. */
  const writeState = (row: StoredConnection, failure: ProviderFailure | null): Promise<boolean> =>
    database.transaction(async (tx) => {
      const isNews = await storeState(tx, row, failure)
      if (isNews && failure?.kind === 'refused')
        await recordAct(tx, systemOf(row.account_id), {
          action: 'partner.broken',
          subject: 'IdentityProvider',
          subjectId: row.id,
          after: { State: 'broken', StateReason: failure.message },
        })
      return isNews
    })

  const recordState = (row: StoredConnection, failure: ProviderFailure | null): void => {
    const accountId = row.account_id
    writeState(row, failure).then(
      (isNews) => {
        if (!isNews) return
        if (failure === null) log.info({ accountId }, 'the identity provider responds again')
        else
          log.warn(
            { accountId, reason: failure.message },
            failure.kind === 'refused'
              ? 'the identity provider refuses the connection; deliveries are paused until it is fixed'
              : 'the identity provider does not respond; deliveries are paused once its token expires',
          )
      },
      (error: unknown) =>
        log.error({ err: error, accountId }, 'cannot store the state of the identity provider'),
    )
  }

  /** Rotates a key that has been in use for 90 days, without an administrator. */
  const rotateOldKeys = async (accountId: number): Promise<void> => {
    const key = await newWebhookSigningKey(secrets)
    await database.transaction(async (tx) => {
      await lockAccount(tx, accountId)
      const newest = (await keysOfAccount(tx, accountId)).at(-1)
      if (newest === undefined || nowMs() - newest.active_from.getTime() < longestUseMs) return
      await rotateKeys(tx, accountId, key, new Date(nowMs()))
      await bumpVersion(tx, accountId)
    })
  }

  const readKeys = async (accountId: number) => {
    const rows = await keysOfAccount(database.kysely, accountId)
    const newest = rows.at(-1)
    if (newest === undefined || nowMs() - newest.active_from.getTime() < longestUseMs) return rows
    await rotateOldKeys(accountId)
    return keysOfAccount(database.kysely, accountId)
  }

  const open = async (accountId: number, former: OpenConnection | null): Promise<OpenConnection | null> => {
    const row = await findConnection(database.kysely, accountId)
    if (row === undefined) return null
    const [credentials, keys] = await Promise.all([
      tokenRequestOf(database, secrets, row),
      readKeys(accountId),
    ])
    const request = { ...credentials, tokenEndpoint: row.token_endpoint }
    const hasSameCredentials = former?.id === row.id && former.credentialVersion === row.credential_version
    return {
      id: row.id,
      version: row.version,
      credentialVersion: row.credential_version,
      readAtMs: nowMs(),
      tokens: createTokenCache({
        fetchToken: () => requestToken(agent, request, { nowSeconds: Math.floor(nowMs() / 1_000), signal }),
        onOutcome: (failure) => {
          if (!signal.aborted) recordState(row, failure)
        },
        firstToken: hasSameCredentials ? former.tokens.present() : null,
        nowMs,
      }),
      keys: keys.map((key) => ({ ...key, privateKey: openKey(secrets, key.sealed_private_key) })),
    }
  }

  const isCurrent = (one: OpenConnection | null, wanted: ConnectionVersion): boolean =>
    one !== null &&
    (one.id > wanted.connectionId || (one.id === wanted.connectionId && one.version >= wanted.version)) &&
    nowMs() - one.readAtMs < rereadEveryMs

  const connectionFor = async (wanted: ConnectionVersion): Promise<OpenConnection | null> => {
    const { accountId } = wanted
    const known = connections.get(accountId)
    const former = (await known) ?? null
    if (known !== undefined && isCurrent(former, wanted)) return former
    // The first of several concurrent callers reopens the connection.
    if (connections.get(accountId) === known) {
      const opened = open(accountId, former)
      connections.set(accountId, opened)
      opened.catch(() => connections.delete(accountId))
    }
    return connections.get(accountId) ?? null
  }

  const prove = async (connection: ConnectionVersion): Promise<RequestProof | Pause> => {
    const opened = await connectionFor(connection)
    // The connection was removed after the webhook was read; the next read will show that.
    if (opened === null) return { pauseMs: 0 }
    const token = await opened.tokens.obtain()
    if ('pauseMs' in token) return token
    const key = activeKey(opened.keys, new Date(nowMs()))
    if (key === undefined) throw new Error('the connection has no signing key')
    return {
      headers: (request) => {
        const signer = { issuer: options.publicUrl, kid: key.kid, privateKey: key.privateKey }
        return {
          authorization: `Bearer ${token.value}`,
          'webhook-identity': proveRequest(request, token.sha256, signer),
        }
      },
      distrust: () => opened.tokens.distrust(token),
    }
  }

  return {
    proofFor: async (connection) => {
      try {
        const proof = await prove(connection)
        return 'pauseMs' in proof ? { pauseMs: Math.min(proof.pauseMs, longestPauseMs) } : proof
      } catch (error) {
        const { accountId } = connection
        if (mayLog(accountId)) log.error({ err: error, accountId }, 'cannot sign a delivery; it is paused')
        return { pauseMs: longestPauseMs }
      }
    },
  }
}
