import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'

/** A value in DER (X.690). */
const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const integer = (value: number): Buffer => der(0x02, Buffer.from([value]))
const enumerated = (value: number): Buffer => der(0x0a, Buffer.from([value]))
const octets = (bytes: Buffer): Buffer => der(0x04, bytes)
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))
const bits = (bytes: Buffer): Buffer => der(0x03, Buffer.from([0]), bytes)
const timeAt = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]|\..*/g, '')}Z`))

const ecdsaWithSha256 = sequence(identifier('2a8648ce3d040302'))
const named = (name: string): Buffer =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))))

interface Certificate {
  readonly serial: number
  readonly subject: string
  readonly key: KeyObject
  readonly extensions: readonly Buffer[]
}

const dayMs = 86_400_000

const signed = (issuerKey: KeyObject, { serial, subject, key, extensions }: Certificate): Buffer => {
  const content = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    ecdsaWithSha256,
    named('Root'),
    sequence(timeAt(Date.now() - dayMs), timeAt(Date.now() + dayMs)),
    named(subject),
    key.export({ format: 'der', type: 'spki' }),
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  )
  return sequence(content, ecdsaWithSha256, bits(sign('sha256', content, issuerKey)))
}

/** The extension of Android's key attestation, with empty lists. */
const keyDescription = (challenge: Buffer): Buffer =>
  sequence(
    ...[integer(3), enumerated(1), integer(4), enumerated(1)],
    ...[octets(challenge), octets(Buffer.alloc(0)), sequence(), sequence()],
  )

const distributionPoints = (address: string): Buffer =>
  sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(address))))))

/**
 * Returns a certificate of the key as Android attests one, and the root that we made up for it. It names the
 * list of revoked certificates.
 */
export const forgeCertificates = (
  key: KeyObject,
  { challenge, revocationList }: { readonly challenge: Buffer; readonly revocationList: string },
): readonly [Buffer, Buffer] => {
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = [
    sequence(identifier('2b06010401d679020111'), octets(keyDescription(challenge))),
    sequence(identifier('551d1f'), octets(distributionPoints(revocationList))),
  ]
  return [
    signed(root.privateKey, { serial: 2, subject: 'Key', key, extensions }),
    signed(root.privateKey, { serial: 1, subject: 'Root', key: root.publicKey, extensions: [] }),
  ]
}
