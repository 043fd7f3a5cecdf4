import { execFile } from 'node:child_process'
import { mkdir, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** All machines are in one network. The enclosure has a network namespace of its own, so the addresses never collide. */
export const addressOf = (number: number): string => `10.77.0.${number}`

export const network = {
  cidr: '10.77.0.0/24',
  /** Clients, publishers and viewers. */
  clients: addressOf(1),
  proxy: addressOf(2),
  receiver: addressOf(7),
  /** A person on the host of the cluster. */
  host: addressOf(254),
} as const

/** The switch that all machines are connected to. */
export const bridge = 'cluster'
const uplink = 'uplink'
const hostLink = 'zoetrope-host'

const ip = (...words: string[]) => run('ip', words)

/** Creates the switch between the machines. Runs inside the enclosure. */
export const createNetwork = async (): Promise<void> => {
  await mkdir('/run/netns', { recursive: true })
  // Names of network namespaces are files: these must not meet those of the host.
  await run('mount', ['-t', 'tmpfs', 'tmpfs', '/run/netns'])
  await ip('link', 'set', 'lo', 'up')
  await ip('link', 'add', bridge, 'type', 'bridge')
  for (const address of [network.clients, network.receiver])
    await ip('addr', 'add', `${address}/24`, 'dev', bridge)
  await ip('link', 'set', bridge, 'up')
}

/** Connects a new machine to the switch. */
export const createMachineNetwork = async (name: string, address: string): Promise<void> => {
  const inside = (...words: string[]) => ip('-n', name, ...words)
  await ip('netns', 'add', name)
  await ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
  await ip('link', 'set', name, 'master', bridge, 'up')
  await inside('addr', 'add', `${address}/24`, 'dev', 'eth0')
  await inside('link', 'set', 'eth0', 'up')
  await inside('link', 'set', 'lo', 'up')
}

/** Gives the host of the cluster an address in its network, for the browser of a person. Runs on the host. */
export const connectHost = async (enclosurePid: number): Promise<void> => {
  const own = await readlink('/proc/self/ns/net')
  while ((await readlink(`/proc/${enclosurePid}/ns/net`)) === own)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await ip('link', 'add', hostLink, 'type', 'veth', 'peer', 'name', uplink, 'netns', String(enclosurePid))
  await ip('addr', 'add', `${network.host}/24`, 'dev', hostLink)
  await ip('link', 'set', hostLink, 'up')
}

/** Connects the other end of the link to the switch. Runs inside the enclosure. */
export const acceptHost = async (): Promise<void> => {
  await ip('link', 'set', uplink, 'master', bridge, 'up')
}
