import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'
import { findProgram } from './find-program.ts'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)

interface Place {
  readonly folder: string
  readonly port: number
  readonly certificate: string
  readonly key: string
  readonly upstream: string
}

const samples = new URL('../../../deploy/proxies/', import.meta.url)

interface Kind {
  readonly sample: string
  /** Returns the sample with the addresses and files of this test. */
  readonly fit: (sample: string, place: Place) => Promise<string>
  readonly words: (file: string, folder: string) => readonly string[]
}

const kinds = {
  caddy: {
    sample: 'Caddyfile',
    fit: async (sample, { port, certificate, key, upstream }) => `{
  admin off
  auto_https off
  servers {
    protocols h1 h2
  }
}
${sample
  .replace(
    'video.example.com {',
    `https://video.example.com:${port} {\n  bind 127.0.0.1\n  tls ${certificate} ${key}`,
  )
  .replaceAll('127.0.0.1:8080', upstream)}`,
    words: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
  nginx: {
    sample: 'nginx.conf',
    fit: async (sample, { folder, port, certificate, key, upstream }) => {
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      )
      const fitted = sample
        .replace('listen 443', `listen 127.0.0.1:${port}`)
        .replace('listen 80', `listen 127.0.0.1:${await findFreePort()}`)
        .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
        .replaceAll('127.0.0.1:8080', upstream)
      return `daemon off; pid ${join(folder, 'pid')}; error_log stderr; events {}
http { access_log off; ${temporary.join(' ')}\n${fitted}}`
    },
    words: (file, folder) => ['-c', file, '-e', 'stderr', '-p', folder],
  },
  haproxy: {
    sample: 'haproxy.cfg',
    fit: async (sample, { folder, port, certificate, key, upstream }) => {
      const both = join(folder, 'both.pem')
      await writeFile(both, (await readFile(certificate, 'utf8')) + (await readFile(key, 'utf8')))
      return sample
        .replace('bind :80', `bind 127.0.0.1:${await findFreePort()}`)
        .replace('bind :443 ssl crt /etc/haproxy/certificate.pem', `bind 127.0.0.1:${port} ssl crt ${both}`)
        .replaceAll('127.0.0.1:8080', upstream)
    },
    words: (file) => ['-db', '-f', file],
  },
} as const satisfies Readonly<Record<string, Kind>>

export type ProxyKind = keyof typeof kinds

const makeCertificate = async (certificate: string, key: string): Promise<void> => {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  const files = ['-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', ...kind, '-subj', '/CN=video.example.com', ...files])
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/**
 * Starts this proxy of deploy/proxies in front of this server. Returns null when the proxy is not installed.
 */
export const startFrontingProxy = async (name: ProxyKind, serverPort: number) => {
  const kind: Kind = kinds[name]
  const program = await findProgram(name, `../sbin/${name}`)
  if (program === null) return null
  const sample = await readFile(new URL(kind.sample, samples), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-proxy-'))
  const place = {
    folder,
    port: await findFreePort(),
    certificate: join(folder, 'certificate.pem'),
    key: join(folder, 'key.pem'),
    upstream: `127.0.0.1:${serverPort}`,
  }
  await makeCertificate(place.certificate, place.key)
  const file = join(folder, 'config')
  await writeFile(file, await kind.fit(sample, place))
  const child = spawn(program, kind.words(file, folder), {
    env: { HOME: folder, PATH: process.env['PATH'] ?? '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said = `${said}${String(part)}`.slice(-2_000)))
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`)
      return listens(place.port)
    },
    (isThere) => isThere,
  )
  return {
    port: place.port,
    stop: async (): Promise<void> => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
