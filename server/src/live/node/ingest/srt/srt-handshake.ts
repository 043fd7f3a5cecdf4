/** draft-sharabayko-srt-01, 3.2.1: the handshake control packet. All numbers are big-endian. */
export interface SrtHandshake {
  readonly type: 'induction' | 'conclusion'
  readonly socketId: number
  readonly cookie: number
  /** Null when the caller names none. */
  readonly streamId: string | null
  /** Key material message; null when the caller requests no encryption. */
  readonly keyMaterial: Buffer | null
}

const packetHeaderBytes = 16
const handshakeBytes = packetHeaderBytes + 48
const controlTypes = { handshake: 0x8000_0000, shutdown: 0x8005_0000 } as const
const types = { induction: 1, conclusion: 0xffff_ffff } as const
const extensionTypes = { keyMaterialRequest: 3, streamId: 5 } as const
const at = {
  destination: 12,
  version: 16,
  encryption: 20,
  extension: 22,
  type: 36,
  socketId: 40,
  cookie: 44,
} as const
/** 3.2.1.1: value in the answer of a listener that supports extensions. */
const magic = 0x4a17
const currentVersion = 5
/** draft-sharabayko-srt-01, 3.2.1.1.3: callers truncate longer ids themselves. */
const longestStreamId = 512

const isHandshake = (packet: Buffer): boolean =>
  packet.length >= handshakeBytes && packet.readUInt32BE(0) === controlTypes.handshake

export const readSrtHandshake = (packet: Buffer): SrtHandshake | null => {
  if (!isHandshake(packet)) return null
  const number = packet.readUInt32BE(at.type)
  const type = number === types.induction ? 'induction' : number === types.conclusion ? 'conclusion' : null
  if (type === null) return null
  const extensions = type === 'conclusion' ? readExtensions(packet) : new Map<number, Buffer>()
  return {
    type,
    socketId: packet.readUInt32BE(at.socketId),
    cookie: packet.readUInt32BE(at.cookie),
    streamId: readStreamId(extensions.get(extensionTypes.streamId)),
    keyMaterial: extensions.get(extensionTypes.keyMaterialRequest) ?? null,
  }
}

/** Reads blocks of type, length in words, and content. */
const readExtensions = (packet: Buffer): Map<number, Buffer> => {
  const found = new Map<number, Buffer>()
  for (let offset = handshakeBytes; offset + 4 <= packet.length;) {
    const lengthBytes = packet.readUInt16BE(offset + 2) * 4
    const content = packet.subarray(offset + 4, offset + 4 + lengthBytes)
    if (content.length < lengthBytes) break
    found.set(packet.readUInt16BE(offset), content)
    offset += 4 + lengthBytes
  }
  return found
}

/** 3.2.1.3: text in words with reversed byte order, padded with zeros. */
const readStreamId = (content: Buffer | undefined): string | null => {
  if (content === undefined || content.length > longestStreamId || content.length % 4 !== 0) return null
  return Buffer.from(content).swap32().toString().replace(/\0+$/, '')
}

/**
 * Writes the answer of a listener to an induction: a cookie, which the caller returns, and the support of
 * extensions.
 */
export const writeInductionAnswer = (induction: Buffer, cookie: number, socketId: number): Buffer => {
  const answer = Buffer.from(induction.subarray(0, handshakeBytes))
  answer.writeUInt32BE(induction.readUInt32BE(at.socketId), at.destination)
  answer.writeUInt32BE(currentVersion, at.version)
  answer.writeUInt16BE(0, at.encryption)
  answer.writeUInt16BE(magic, at.extension)
  answer.writeUInt32BE(socketId, at.socketId)
  answer.writeUInt32BE(cookie, at.cookie)
  return answer
}

/** Writes the induction with which the caller of this conclusion began. */
export const writeInduction = (conclusion: Buffer): Buffer => {
  const induction = Buffer.from(conclusion.subarray(0, handshakeBytes))
  induction.writeUInt32BE(4, at.version)
  induction.writeUInt16BE(0, at.encryption)
  // 3.2.1: datagrams, the value of this field in version 4.
  induction.writeUInt16BE(2, at.extension)
  induction.writeUInt32BE(types.induction, at.type)
  induction.writeUInt32BE(0, at.cookie)
  return induction
}

export const withCookie = (conclusion: Buffer, cookie: number): Buffer => {
  const packet = Buffer.from(conclusion)
  packet.writeUInt32BE(cookie, at.cookie)
  return packet
}

/** Refusal reasons as numbered by libsrt: 1,000 plus its own reason, or 2,000 plus an HTTP status. */
export const srtRefusals = {
  badRequest: 2_400,
  notFound: 2_404,
  conflict: 2_409,
  overloaded: 2_503,
  badPassphrase: 1_010,
  unencrypted: 1_011,
} as const

export const writeRefusal = (conclusion: Buffer, reason: number): Buffer => {
  const answer = Buffer.from(conclusion.subarray(0, handshakeBytes))
  answer.writeUInt32BE(conclusion.readUInt32BE(at.socketId), at.destination)
  answer.writeUInt16BE(0, at.extension)
  answer.writeUInt32BE(reason, at.type)
  return answer
}

/** 3.2.7: the peer has closed the connection. */
export const isShutdown = (packet: Buffer): boolean =>
  packet.length >= packetHeaderBytes && packet.readUInt32BE(0) === controlTypes.shutdown

export const writeShutdown = (destinationId: number): Buffer => {
  const packet = Buffer.alloc(packetHeaderBytes + 4)
  packet.writeUInt32BE(controlTypes.shutdown)
  packet.writeUInt32BE(destinationId, at.destination)
  return packet
}
