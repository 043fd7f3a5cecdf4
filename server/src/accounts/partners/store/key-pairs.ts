import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { newId } from '../../../platform/base/ids.ts'
import type { Sealer } from '../../../platform/base/secrets.ts'

const generate = promisify(generateKeyPair)

export interface NewKey {
  readonly kid: string
  readonly sealed_private_key: Buffer
  readonly public_jwk: string
}

const sealKey = (
  secrets: Sealer<'workers'>,
  pair: { readonly privateKey: KeyObject; readonly publicKey: KeyObject },
  alg: string,
): NewKey => {
  const kid = newId()
  const der = pair.privateKey.export({ format: 'der', type: 'pkcs8' })
  const jwk = { ...pair.publicKey.export({ format: 'jwk' }), kid, alg, use: 'sig' }
  return { kid, sealed_private_key: secrets.seal(der), public_jwk: JSON.stringify(jwk) }
}

/** Creates a key that signs deliveries: an ES256 signature takes about ten microseconds. */
export const newWebhookSigningKey = async (secrets: Sealer<'workers'>): Promise<NewKey> =>
  sealKey(secrets, await generate('ec', { namedCurve: 'P-256' }), 'ES256')

/** Creates a key that authenticates Zoetrope at a provider, with RS256 because all providers accept it. */
export const newClientKey = async (secrets: Sealer<'workers'>): Promise<NewKey> =>
  sealKey(secrets, await generate('rsa', { modulusLength: 2_048 }), 'RS256')

export const openKey = (secrets: Sealer<'workers'>, sealed: Buffer): KeyObject =>
  createPrivateKey({ key: secrets.open(sealed), format: 'der', type: 'pkcs8' })
