import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

interface Site {
  readonly id: string
  readonly origin: string
}

const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()
const userPresent = 0x01
const userVerified = 0x04
const hasKey = 0x40

/** COSE_Key of ES256 in CBOR (RFC 9053, section 7.1.1). */
const coseKeyOf = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const point = (label: number, value: string) => [
    Buffer.from([label, 0x58, 32]),
    Buffer.from(value, 'base64url'),
  ]
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01])
  return Buffer.concat([head, ...point(0x21, x), ...point(0x22, y)])
}

const cborText = (text: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

/** Attestation object without a statement (WebAuthn, section 6.5.4). */
const attestationOf = (authData: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    Buffer.from([0x59, authData.length >> 8, authData.length & 0xff]),
    authData,
  ])

/** A passkey in software, for tests without a browser. */
export const createAuthenticator = (site: Site) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  let count = 0

  const authDataOf = (flags: number, rest = Buffer.alloc(0)): Buffer => {
    count += 1
    const tail = Buffer.alloc(5)
    tail.writeUInt8(flags)
    tail.writeUInt32BE(count, 1)
    return Buffer.concat([sha256(site.id), tail, rest])
  }
  const clientDataOf = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: site.origin, crossOrigin: false }))
  const credential = (response: Record<string, unknown>) => ({
    id,
    rawId: id,
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    register: ({ challenge }: { readonly challenge: string }) => {
      const length = Buffer.from([0, credentialId.length])
      const rest = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKeyOf(publicKey)])
      return credential({
        clientDataJSON: clientDataOf('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationOf(authDataOf(userPresent | userVerified | hasKey, rest)).toString(
          'base64url',
        ),
        transports: ['internal'],
      })
    },
    sign: ({ challenge }: { readonly challenge: string }, { isVerified = true } = {}) => {
      const clientData = clientDataOf('webauthn.get', challenge)
      const authData = authDataOf(isVerified ? userPresent | userVerified : userPresent)
      const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey)
      return credential({
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
      })
    },
  }
}
