import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { forgeCertificates } from './forged-certificates.ts'

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

const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes])

interface Statement {
  readonly format: string
  /** In CBOR. */
  readonly content: Buffer
}

const noStatement: Statement = { format: 'none', content: Buffer.from([0xa0]) }

/** Attestation object (WebAuthn, section 6.5.4). */
const attestationOf = (authData: Buffer, { format, content }: Statement): Buffer =>
  Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText(format),
    cborText('attStmt'),
    content,
    cborText('authData'),
    cborBytes(authData),
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
    /** With an address, the passkey claims to be made by Android, and names this list of revoked certificates. */
    register: (
      { challenge }: { readonly challenge: string },
      { revocationList = null }: { readonly revocationList?: string | null } = {},
    ) => {
      const length = Buffer.from([0, credentialId.length])
      const rest = Buffer.concat([Buffer.alloc(16), length, credentialId, coseKeyOf(publicKey)])
      const clientData = clientDataOf('webauthn.create', challenge)
      const authData = authDataOf(userPresent | userVerified | hasKey, rest)
      const ofAndroid = (list: string): Statement => {
        const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), privateKey)
        const [own, root] = forgeCertificates(publicKey, {
          challenge: sha256(clientData),
          revocationList: list,
        })
        const content = [
          ...[
            Buffer.from([0xa3]),
            cborText('alg'),
            Buffer.from([0x26]),
            cborText('sig'),
            cborBytes(signature),
          ],
          ...[cborText('x5c'), Buffer.from([0x82]), cborBytes(own), cborBytes(root)],
        ]
        return { format: 'android-key', content: Buffer.concat(content) }
      }
      const statement = revocationList === null ? noStatement : ofAndroid(revocationList)
      return credential({
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestationOf(authData, statement).toString('base64url'),
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
