import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificate {
  readonly key: Buffer
  readonly cert: Buffer
  readonly certFile: string
  readonly remove: () => Promise<void>
}

/** Makes a self-signed certificate for 127.0.0.1, which is its own authority. */
export const makeCertificate = async (): Promise<Certificate> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-certificate-'))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1']
  const files = ['-keyout', keyFile, '-out', certFile]
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...name, ...files])
  return {
    key: await readFile(keyFile),
    cert: await readFile(certFile),
    certFile,
    remove: () => rm(folder, { recursive: true }),
  }
}
