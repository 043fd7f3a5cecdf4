import { execFile, spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { createControlGroup } from './cgroup.ts'
import { createClock, type Clock } from './clock.ts'
import { createMachineNetwork } from './network.ts'
import { slowDownLink, type SlowLink } from './slow-link.ts'

const run = promisify(execFile)

export type Direction = 'from' | 'to' | 'both'
/** Ends a fault. */
export type Undo = () => Promise<void>

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdio?: StdioOptions
  /** PostgreSQL refuses to run as root. */
  readonly user?: string
}

/** A machine of the cluster: a network namespace, a control group, a disk and a clock. */
export interface Machine {
  readonly name: string
  readonly address: string
  /** Its disk. */
  readonly folder: string
  readonly clock: Clock
  readonly start: (words: readonly string[], options?: StartOptions) => ChildProcess
  /** Kills all processes at once, as a power failure does. The disk remains. */
  readonly kill: () => Promise<void>
  readonly freeze: () => Promise<Undo>
  /** Drops packets from these addresses, to them, or both. */
  readonly cutOff: (addresses: readonly string[], direction: Direction) => Promise<Undo>
  /** Delays and loses packets in both directions. A machine that is slow already stays as it is. */
  readonly slowDown: (link: SlowLink) => Promise<Undo>
  readonly fillDisk: () => Promise<Undo>
  readonly remove: () => Promise<void>
}

export interface MachineSpec {
  readonly name: string
  readonly address: string
  /** Size of its disk, which is in memory. Null: a folder on the disk of the host. */
  readonly diskBytes: number | null
}

const rulesOf = (cuts: Iterable<readonly [readonly string[], Direction]>): string => {
  const rules = [...cuts].flatMap(([addresses, direction]) => {
    const set = `{ ${addresses.join(', ')} }`
    return [
      ...(direction === 'to' ? [] : [`add rule inet faults in ip saddr ${set} drop`]),
      ...(direction === 'from' ? [] : [`add rule inet faults out ip daddr ${set} drop`]),
    ]
  })
  return `table inet faults {
  chain in { type filter hook input priority 0; }
  chain out { type filter hook output priority 0; }
}
flush table inet faults
${rules.join('\n')}
`
}

export const createMachine = async (root: string, spec: MachineSpec): Promise<Machine> => {
  const { name, address, diskBytes } = spec
  const folder = join(root, 'machines', name)
  await mkdir(folder, { recursive: true })
  if (diskBytes !== null) await run('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', folder])
  await createMachineNetwork(name, address)
  // Other processes on the host of the cluster see its groups, too.
  const group = await createControlGroup(`${basename(root)}-${name}`)
  const clock = await createClock(join(root, 'clocks'), name)
  let isSlow = false
  const cuts = new Map<symbol, readonly [readonly string[], Direction]>()
  const applyCuts = async (): Promise<void> => {
    const applying = run('nsenter', [`--net=/run/netns/${name}`, 'nft', '-f', '-'])
    applying.child.stdin?.end(rulesOf(cuts.values()))
    await applying
  }

  return {
    name,
    address,
    folder,
    clock,
    start: (words, { env = {}, stdio = 'ignore', user } = {}) => {
      const asUser =
        user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups']
      const enter = 'echo $$ > "$0" && exec "$@"'
      const inside = ['nsenter', `--net=/run/netns/${name}`, ...asUser, ...words]
      return spawn('/bin/sh', ['-c', enter, group.processesFile, ...inside], {
        env: { PATH: process.env['PATH'] ?? '', ...env },
        cwd: folder,
        stdio,
      })
    },
    kill: () => group.kill(),
    freeze: async () => {
      await group.freeze()
      return () => group.thaw()
    },
    cutOff: async (addresses, direction) => {
      const cut = Symbol(name)
      cuts.set(cut, [addresses, direction])
      await applyCuts()
      return async () => {
        cuts.delete(cut)
        await applyCuts()
      }
    },
    slowDown: async (link) => {
      if (isSlow) return () => Promise.resolve()
      isSlow = true
      const undo = await slowDownLink(name, link)
      return async () => {
        await undo()
        isSlow = false
      }
    },
    fillDisk: async () => {
      const filler = join(folder, 'filler')
      await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k']).catch(() => {
        // It writes until the disk is full.
      })
      return () => rm(filler, { force: true })
    },
    remove: async () => {
      await group.thaw()
      await group.kill()
      await group.remove()
      // A process that has just ended can still use its folder.
      if (diskBytes !== null) await run('umount', ['--lazy', folder])
    },
  }
}
