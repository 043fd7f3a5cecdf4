import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { waitFor } from '../support/wait-for.ts'

export interface Balancer {
  readonly url: string
  /** Sends no further requests to this server. Resolves when it has none left. */
  readonly drain: (server: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const sampleFile = new URL('../../../deploy/proxies/haproxy.cfg', import.meta.url)

/** HAProxy with the configuration of deploy/proxies, without TLS. Responses name the server in `X-Served-By`. */
export const startBalancer = async (
  program: string,
  folder: string,
  port: number,
  servers: Readonly<Record<string, number>>,
): Promise<Balancer> => {
  const socketFile = join(folder, 'haproxy.sock')
  const lines = Object.entries(servers).map(([name, of]) => `  server ${name} 127.0.0.1:${of}`)
  const sample = await readFile(sampleFile, 'utf8')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(
    file,
    `global\n  stats socket ${socketFile} level admin\n${sample
      .replace('bind :80', `bind 127.0.0.1:${port}`)
      .replace(/^ {2}bind :443.*\n/m, '')
      .replace(/^ {2}http-request redirect.*$/m, '  http-response set-header X-Served-By %s')
      .replace(/^ {2}server api1.*$/gm, lines.join('\n'))}`,
  )
  const child = spawn(program, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  const tell = async (command: string): Promise<string> => {
    const socket = connect(socketFile)
    await once(socket, 'connect')
    socket.end(`${command}\n`)
    return text(socket)
  }
  /** The columns of `show stat`: 0 is the proxy, 1 the server, 2 the waiting and 4 the current requests. */
  const requestsOf = async (server: string): Promise<number> => {
    const rows = (await tell('show stat')).split('\n').map((line) => line.split(','))
    const row = rows.find(([proxy, name]) => proxy === 'zoetrope' && name === server)
    return Number(row?.[2]) + Number(row?.[4])
  }
  await waitFor(
    () =>
      tell('show info').then(
        () => true,
        () => child.exitCode !== null,
      ),
    (isOver) => isOver,
  )
  if (child.exitCode !== null) throw new Error(`HAProxy ended with ${child.exitCode}`)
  return {
    url: `http://127.0.0.1:${port}`,
    drain: async (server) => {
      await tell(`set server zoetrope/${server} state drain`)
      await waitFor(
        () => requestsOf(server),
        (count) => count === 0,
      )
    },
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
