import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { findProgram } from '../../support/find-program.ts'
import { findPairPrograms } from '../../support/postgres-pair.ts'
import { findClockLibrary } from './clock.ts'
import { connectHost } from './network.ts'

const insideMark = 'ZOETROPE_CLUSTER_ENCLOSED'

export const isEnclosed = (): boolean => process.env[insideMark] === '1'

const packages = ['postgresql', 'haproxy', 'python3-swift', 'nftables', 'iproute2', 'faketime', 'util-linux']

/** Why this machine cannot run a cluster, or null. */
export const whyNoCluster = async (): Promise<string | null> => {
  const programs = await Promise.all(
    ['ip', 'nft', 'unshare', 'nsenter', 'setpriv'].map((name) => findProgram(name, `../sbin/${name}`)),
  )
  const isComplete =
    programs.every((path) => path !== null) &&
    findClockLibrary() !== null &&
    (await findPairPrograms()) !== null
  if (process.getuid?.() !== 0) return 'The cluster needs root, for network namespaces and control groups.'
  return isComplete ? null : `The cluster needs: apt-get install ${packages.join(' ')}`
}

/**
 * Runs this program again in namespaces of its own for network, mounts and processes. With its first process, the
 * kernel ends all others and removes the network and the mounts.
 */
export const enclose = async ({ isOpen }: { readonly isOpen: boolean }): Promise<number> => {
  const child = spawn(
    'unshare',
    [
      ...['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...[process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    ],
    // A signal of the terminal would end it at once.
    { env: { ...process.env, [insideMark]: '1' }, stdio: 'inherit', detached: true },
  )
  const exited = once(child, 'exit') as Promise<[number | null]>
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => {
      const path = `/proc/${child.pid}/task/${child.pid}/children`
      for (const pid of readFileSync(path, 'utf8').split(' ').filter(Boolean))
        process.kill(Number(pid), signal)
    })
  if (isOpen) await connectHost(child.pid ?? 0)
  const [code] = await exited
  return code ?? 1
}
