import { createDecipheriv, pbkdf2 } from 'node:crypto'
import { promisify } from 'node:util'

const deriveKey = promisify(pbkdf2)

/** draft-sharabayko-srt-01, 3.2.2 and 6.2.1. */
const headBytes = 16
const checkBytes = 8
const iterations = 2_048
const keyBytes = [16, 24, 32]
const ciphers: Readonly<Record<number, string>> = { 16: 'aes128-wrap', 24: 'aes192-wrap', 32: 'aes256-wrap' }
/** RFC 3394, 2.2.3.1. */
const initialValue = Buffer.alloc(8, 0xa6)

/** Returns whether the stream key that a caller sends is wrapped with this passphrase. */
export const opensWith = async (keyMaterial: Buffer, passphrase: string): Promise<boolean> => {
  if (keyMaterial.length < headBytes) return false
  const saltBytes = keyMaterial[14]! * 4
  const length = keyMaterial[15]! * 4
  // Even key, odd key, or both.
  const keys = [0, 1, 1, 2][keyMaterial[3]! & 3]!
  const wrapped = keyMaterial.subarray(
    headBytes + saltBytes,
    headBytes + saltBytes + checkBytes + keys * length,
  )
  if (
    !keyBytes.includes(length) ||
    keys === 0 ||
    saltBytes < 8 ||
    wrapped.length < checkBytes + keys * length
  )
    return false
  const salt = keyMaterial.subarray(headBytes + saltBytes - 8, headBytes + saltBytes)
  const key = await deriveKey(passphrase, salt, iterations, length, 'sha1')
  try {
    const unwrap = createDecipheriv(ciphers[length]!, key, initialValue)
    return Buffer.concat([unwrap.update(wrapped), unwrap.final()]).length === keys * length
  } catch {
    return false
  }
}
