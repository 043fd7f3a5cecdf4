import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../test/support/free-port.ts'
import { request, type TestServer } from '../../../test/support/test-server.ts'
import { waitFor } from '../../../test/support/wait-for.ts'

const program = '/usr/sbin/nginx'
const docs = new URL('../../../../docs/delivery.md', import.meta.url)

export const hasNginx = (): boolean => existsSync(program)

/** Inserts the page's second sample into the first, as the page instructs. */
const withKeptSegments = (sample: string, kept: string, folder: string): string => {
  const before = kept.slice(0, kept.indexOf('location '))
  const location = kept.slice(before.length)
  return `${before.replace('/var/cache/nginx/segments', join(folder, 'segments'))}\n${sample.replace('  location / {', () => `${location}  location / {`)}`
}

/** Writes the configuration of docs/delivery.md, adapted to this server's port and folder. */
const writeConfiguration = async (
  server: TestServer,
  { folder, port, keepsSegments }: { folder: string; port: number; keepsSegments: boolean },
): Promise<string> => {
  const samples = [...(await readFile(docs, 'utf8')).matchAll(/```nginx\n([\s\S]+?)```/g)]
  const [documented = '', kept = ''] = samples.map(([, sample = '']) => sample)
  const fitted = (keepsSegments ? withKeptSegments(documented, kept, folder) : documented)
    .replace('server 127.0.0.1:8080;', `server ${new URL(server.url).host};`)
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
    .replace('/var/lib/zoetrope-data/', `${server.dataFolder}/`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const path = join(folder, 'nginx.conf')
  await writeFile(
    path,
    `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr error;
events {} http { access_log off; ${temporary.join(' ')} ${fitted} }`,
  )
  return path
}

export const startDocumentedNginx = async (server: TestServer, { keepsSegments = false } = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-nginx-'))
  const port = await findFreePort()
  // When the test runs as root, the nginx worker is another user.
  await chmod(server.dataFolder, 0o755)
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'proxy'))
  const configuration = await writeConfiguration(server, { folder, port, keepsSegments })
  const child = spawn(program, ['-c', configuration, '-e', 'stderr'], { stdio: 'inherit' })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  await waitFor(
    () => request(`${url}/healthz`, 'GET').catch(() => null),
    (answer) => answer?.status === 200,
  )
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
