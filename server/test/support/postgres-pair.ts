import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'
import { findProgram } from './find-program.ts'
import { guideBlocksOf } from './guide-blocks.ts'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)

export interface PairPrograms {
  /** Folder with the programs of PostgreSQL. */
  readonly postgres: string
  readonly haproxy: string
}

/** Returns null where Debian's `postgresql` and `haproxy` are not installed. */
export const findPairPrograms = async (): Promise<PairPrograms | null> => {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const newest = versions.map(Number).toSorted((a, b) => b - a)[0]
  const haproxy = (await findProgram('haproxy')) ?? (await findProgram('../sbin/haproxy'))
  return newest === undefined || haproxy === null
    ? null
    : { postgres: `/usr/lib/postgresql/${newest}/bin`, haproxy }
}

/** PostgreSQL refuses to run as root. */
export const ordinaryUser = async (): Promise<{ uid?: number; gid?: number }> => {
  if (process.getuid?.() !== 0) return {}
  const line = /^postgres:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8'))
  return { uid: Number(line?.[1]), gid: Number(line?.[2]) }
}

/** Writes the configuration of docs/storage-and-database.md with these addresses. Returns the path of the one for HAProxy. */
export const writeFailoverProxy = async (
  folder: string,
  { proxy, one, two }: Readonly<Record<'proxy' | 'one' | 'two', string>>,
): Promise<string> => {
  const blocks = await guideBlocksOf('docs/storage-and-database.md')
  const sample = blocks.find(({ language }) => language === 'haproxy')?.code ?? ''
  const script = blocks.find(({ code }) => code.startsWith('#!/bin/sh'))?.code ?? ''
  const check = join(folder, 'is-primary')
  await writeFile(check, script, { mode: 0o755 })
  const configuration = join(folder, 'haproxy.cfg')
  await writeFile(
    configuration,
    sample
      .replace('127.0.0.1:5432', proxy)
      .replace('10.0.0.11:5432', one)
      .replace('10.0.0.12:5432', two)
      .replace('/etc/haproxy/is-primary', check),
  )
  return configuration
}

export interface PostgresPair {
  /** Address behind HAProxy, as the owner of the database `app`. */
  readonly url: string
  /** Kills the primary without any notice. */
  readonly killPrimary: () => Promise<void>
  readonly promoteStandby: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** A primary and a synchronous standby behind HAProxy, set up as docs/storage-and-database.md says. */
export const startPostgresPair = async (
  { postgres, haproxy }: PairPrograms,
  folder: string,
): Promise<PostgresPair> => {
  const user = await ordinaryUser()
  const started: ChildProcess[] = []
  const ports = { one: await findFreePort(), two: await findFreePort(), proxy: await findFreePort() }
  await chmod(folder, 0o755)
  const home = join(folder, 'servers')
  await mkdir(home, { mode: 0o700 })
  if (user.uid !== undefined) await chown(home, user.uid, user.gid ?? user.uid)

  const program = (name: string, ...words: string[]) =>
    run(join(postgres, name), words, { ...user, cwd: home })
  const query = (port: number, text: string) =>
    program('psql', '-h', '127.0.0.1', '-p', String(port), '-U', 'admin', '-d', 'postgres', '-Atc', text)
  const startServer = async (name: 'one' | 'two'): Promise<ChildProcess> => {
    const words = ['-D', join(home, name), '-p', String(ports[name]), '-c', `unix_socket_directories=${home}`]
    const child = spawn(join(postgres, 'postgres'), words, {
      ...user,
      cwd: home,
      stdio: 'ignore',
      detached: true,
    })
    started.push(child)
    await waitFor(
      () =>
        query(ports[name], 'select 1').then(
          () => true,
          () => child.exitCode !== null,
        ),
      (isOver) => isOver,
    )
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`)
    return child
  }

  // On the loopback of one test no password is needed.
  await program('initdb', '-D', join(home, 'one'), '-U', 'admin', '--auth=trust', '--no-sync')
  const primary = await startServer('one')
  await query(ports.one, 'create role zoetrope_check login')
  await query(ports.one, 'create role customer login createrole')
  await query(ports.one, 'create database app owner customer')
  const source = `host=127.0.0.1 port=${ports.one} user=admin`
  await program(
    'pg_basebackup',
    '-D',
    join(home, 'two'),
    '-R',
    '-c',
    'fast',
    '-X',
    'stream',
    '--no-sync',
    '-d',
    source,
  )
  await startServer('two')
  await query(ports.one, "alter system set synchronous_standby_names = '*'")
  await query(ports.one, 'select pg_reload_conf()')
  await waitFor(
    async () => (await query(ports.one, 'select sync_state from pg_stat_replication')).stdout.trim(),
    (state) => state === 'sync',
  )

  const configuration = await writeFailoverProxy(folder, {
    proxy: `127.0.0.1:${ports.proxy}`,
    one: `127.0.0.1:${ports.one}`,
    two: `127.0.0.1:${ports.two}`,
  })
  started.push(spawn(haproxy, ['-db', '-f', configuration], { stdio: 'ignore' }))
  // Until its first check, HAProxy takes the standby for a primary.
  let primaryAnswers = 0
  await waitFor(
    async () => {
      const answer = await query(ports.proxy, 'select pg_is_in_recovery()').catch(() => null)
      primaryAnswers = answer?.stdout.trim() === 'f' ? primaryAnswers + 1 : 0
      return primaryAnswers
    },
    (count) => count >= 15,
    30_000,
    100,
  )

  const kill = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    // Each server leads a process group of its own.
    process.kill(child.spawnfile.endsWith('postgres') ? -(child.pid ?? 0) : (child.pid ?? 0), 'SIGKILL')
    await ended
  }
  return {
    url: `postgres://customer@127.0.0.1:${ports.proxy}/app`,
    killPrimary: () => kill(primary),
    promoteStandby: async () => void (await program('pg_ctl', 'promote', '-D', join(home, 'two'), '-w')),
    stop: async () => {
      for (const child of started.toReversed()) await kill(child)
    },
  }
}
