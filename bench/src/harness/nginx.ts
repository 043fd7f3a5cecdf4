import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, makeFolder, type BenchContext } from './context.ts'
import { descendantsOf } from './proc.ts'
import { canConnect } from './wait.ts'

const program = '/usr/sbin/nginx'

export const hasNginx = (): boolean => existsSync(program)

export interface Nginx {
  readonly port: number
  /** The only worker process, which does all the work. */
  readonly workerProcessId: number
}

const startTimeoutMs = 10_000

/** Configures nginx as an operator would for files: sendfile, keep-alive, open file cache, no log. */
export const startNginx = async (
  context: BenchContext,
  name: string,
  server: string,
  upstream = '',
  /** Configuration before the HTTP server: modules and their own servers. */
  modules = '',
): Promise<Nginx> => {
  const folder = await makeFolder(context, name)
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ')
  await writeFile(
    join(folder, 'nginx.conf'),
    `${modules}
daemon off; worker_processes 1; ${process.getuid?.() === 0 ? 'user root;' : ''} pid ${join(folder, 'pid')}; error_log stderr error;
events { worker_connections 512; }
http {
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000000;
  open_file_cache max=1000; default_type video/mp4; ${temporary}
  ${upstream}
  server { listen 127.0.0.1:${port}; ${server} }
}
`,
  )
  const child = spawn(program, ['-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const exited = once(child, 'exit')
  context.defer(async () => {
    child.kill('SIGTERM')
    await exited
  })
  const deadlineMs = performance.now() + startTimeoutMs
  for (;;) {
    const worker = descendantsOf(child.pid ?? 0)[0]
    if (worker !== undefined && (await canConnect(port))) return { port, workerProcessId: worker.processId }
    if (performance.now() > deadlineMs || child.exitCode !== null) throw new Error('nginx did not start.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
