import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { webAuthnHelpers } from './webauthn.ts'

/**
 * Returns the credential without its attestation statement, which we do not request. The library would load
 * the revocation list that a certificate of the statement names, from any address and without limits. Anyone
 * can forge such a certificate. Throws for a malformed credential.
 */
export const dropAttestation = async (
  credential: Readonly<Record<string, unknown>>,
): Promise<RegistrationResponseJSON> => {
  const { decodeAttestationObject, isoCBOR } = await webAuthnHelpers()
  const registration = credential as unknown as RegistrationResponseJSON
  const { response } = registration
  // For an object with a `length`, `Buffer.from` would allocate that many bytes.
  if (typeof response.attestationObject !== 'string') throw new TypeError('the attestation object is no text')
  const attested = decodeAttestationObject(
    Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')),
  )
  const bare = isoCBOR.encode(
    new Map<string | number, Parameters<typeof isoCBOR.encode>[0]>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', attested.get('authData')],
    ]),
  )
  return {
    ...registration,
    response: { ...response, attestationObject: Buffer.from(bare).toString('base64url') },
  }
}
