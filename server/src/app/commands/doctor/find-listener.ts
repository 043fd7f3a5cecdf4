import { readdir, readFile, readlink } from 'node:fs/promises'

export interface Listener {
  readonly processId: number
  readonly parentId: number
  readonly commandLine: string
  readonly parentCommandLine: string
}

const orNothing = (error: NodeJS.ErrnoException): string => {
  // The process has ended, belongs to another user, or the system has no such file.
  if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(error.code ?? '')) return ''
  throw error
}

/** States of listening sockets in the tables of the kernel: TCP_LISTEN, and TCP_CLOSE for UDP. */
const listening = { tcp: '0A', udp: '07' } as const

const socketsOn = async (port: number, protocol: 'tcp' | 'udp'): Promise<Set<string>> => {
  const tables = await Promise.all(
    [protocol, `${protocol}6`].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(orNothing)),
  )
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  return new Set(
    tables
      .flatMap((text) => text.split('\n'))
      .map((line) => line.trim().split(/\s+/))
      .filter(([, address = '', , state]) => address.endsWith(suffix) && state === listening[protocol])
      .map((columns) => `socket:[${columns[9]}]`),
  )
}

const hasOneOf = async (processId: string, sockets: ReadonlySet<string>): Promise<boolean> => {
  const folder = `/proc/${processId}/fd`
  const files = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    orNothing(error)
    return []
  })
  const targets = await Promise.all(files.map((file) => readlink(`${folder}/${file}`).catch(orNothing)))
  return targets.some((target) => sockets.has(target))
}

const commandLineOf = async (processId: string): Promise<string> =>
  (await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(orNothing)).replaceAll('\0', ' ').trim()

/** Returns the process that listens on a port. Null when the system does not show it: processes of other users, for example. */
export const findListener = async (port: number, protocol: 'tcp' | 'udp'): Promise<Listener | null> => {
  const sockets = await socketsOn(port, protocol)
  if (sockets.size === 0) return null
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || !(await hasOneOf(name, sockets))) continue
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(orNothing)
    const parentId = Number(/^PPid:\s*(\d+)/m.exec(status)?.[1] ?? 0)
    return {
      processId: Number(name),
      parentId,
      commandLine: await commandLineOf(name),
      parentCommandLine: await commandLineOf(String(parentId)),
    }
  }
  return null
}
