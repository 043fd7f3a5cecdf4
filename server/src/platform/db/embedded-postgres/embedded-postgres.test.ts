import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StartupError } from '../../base/startup-error.ts'
import { openConnection, type ConnectionOptions } from '../driver/connection.ts'
import { usableBinaries } from './embedded-postgres-binaries.ts'
import { findServerUser } from './embedded-postgres-user.ts'
import { runningServerOn } from './embedded-postgres-password.ts'
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts'

const isRoot = process.geteuid?.() === 0
const nobody = 65_534
const moduleUrl = new URL('./embedded-postgres.ts', import.meta.url)
const isReadableByNobody =
  isRoot && spawnSync('cat', [fileURLToPath(moduleUrl)], { uid: nobody, gid: nobody }).status === 0

let made: string
let base: string
let dataFolder: string
const running: EmbeddedPostgres[] = []

/**
 * Data folder after a first start and a stop. Most tests copy it, because creating a database takes as long
 * as all the rest of them.
 */
beforeAll(async () => {
  made = await mkdtemp(join(tmpdir(), 'zoetrope-made-'))
  await (await startEmbeddedPostgres({ dataFolder: made })).stop()
})

afterAll(() => Promise.all([rm(made, { recursive: true }), rm(`${made}.password`)]))

/** `cp -a` keeps the owners of the files. */
const useMadeFolder = (): void => {
  mkdirSync(dirname(dataFolder), { recursive: true })
  for (const suffix of ['', '.password']) {
    const { status } = spawnSync('cp', ['-a', made + suffix, dataFolder + suffix])
    if (status !== 0) throw new Error('the database was not copied')
  }
}

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-test-'))
  dataFolder = join(base, 'postgres')
})

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()))
  for (const pid of await processesIn(base)) killIfThere(pid)
  await expect.poll(() => processesIn(base)).toEqual([])
  await rm(base, { recursive: true, force: true, maxRetries: 5 })
})

const start = async (folder = dataFolder): Promise<EmbeddedPostgres> => {
  const server = await startEmbeddedPostgres({ dataFolder: folder })
  running.push(server)
  return server
}

const query = async <Row extends object>(statement: string, folder = dataFolder): Promise<Row[]> => {
  const where = await runningServerOn(folder)
  if (where === null) throw new Error('no server runs on the folder')
  const connection = await openConnection(where)
  try {
    return await connection.rows<Row>(statement)
  } finally {
    connection.discard()
  }
}

const processesIn = async (folder: string): Promise<number[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return cwd.startsWith(folder) ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Counts zombies, because none of the test's own processes may stay. */
const exists = (pid: number): Promise<boolean> =>
  stat(`/proc/${pid}`).then(
    () => true,
    () => false,
  )

/** Ignores zombies: orphaned ones wait for the init process, which takes its time. */
const isRunning = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ')
  return !status.includes('State:\tZ')
}

const postmasterPid = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataFolder, 'data/postmaster.pid'), 'utf8'), 10)

/**
 * Starts another Node that starts the server and runs until it receives `stop` or is killed.
 */
const startInAnotherProcess = async (options: { uid?: number; gid?: number } = {}): Promise<ChildProcess> => {
  const script = `
    import { startEmbeddedPostgres } from '${moduleUrl}'
    process.on('SIGINT', () => undefined)
    const server = await startEmbeddedPostgres({ dataFolder: ${JSON.stringify(dataFolder)} })
    console.log('ready')
    process.once('SIGTERM', () => server.stop())`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    ...options,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) if (line === 'ready') return child
  throw new Error('The other process started no server.')
}

/** The process may have ended by itself once its watchdog was gone. */
const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGKILL')
  await exit
}

describe('embedded PostgreSQL', () => {
  it('starts on a new folder with UTF-8, the C locale and checksums, and without TCP', async () => {
    await start()
    const rows = await query<
      Record<string, string>
    >(`select pg_encoding_to_char(encoding) as encoding, datcollate as collation,
         current_setting('data_checksums') as checksums, current_setting('fsync') as fsync,
         current_setting('listen_addresses') as addresses
       from pg_database where datname = current_database()`)
    expect(rows).toEqual([{ encoding: 'UTF8', collation: 'C', checksums: 'on', fsync: 'on', addresses: '' }])
  })

  it('keeps its rows across a restart and leaves no process', async () => {
    useMadeFolder()
    const first = await start()
    await query('create table note as select 1 as id')
    const pid = await postmasterPid()
    await first.stop()
    expect(await exists(pid)).toBe(false)
    expect(await processesIn(base)).toEqual([])

    await start()
    expect(await query('select id from note')).toEqual([{ id: 1 }])
  })

  it('stops cleanly while clients are connected', async () => {
    useMadeFolder()
    const server = await start()
    const connection = await openConnection(server.connectionOptions)
    const sleeping = connection.query('select pg_sleep(60)').catch((error: Error) => error.message)
    const isAsleep = `select 1 from pg_stat_activity where wait_event = 'PgSleep'`
    await expect.poll(() => query(isAsleep)).toHaveLength(1)
    await server.stop()
    expect(await sleeping).toBe('Lost the connection to the database.')
    await expect.poll(() => processesIn(base)).toEqual([])
    connection.discard()
  })

  it('closes its folders to all other users', async () => {
    const server = await start()
    for (const folder of [dataFolder, server.socketFolder])
      expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('reports that it ended when it was killed, and starts again', async () => {
    useMadeFolder()
    const server = await start()
    process.kill(await postmasterPid(), 'SIGKILL')
    await server.exited
    await server.stop()
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('passes settings on, and reports an invalid one in the words of PostgreSQL', async () => {
    useMadeFolder()
    await expect(startEmbeddedPostgres({ dataFolder, settings: { shared_buffers: 'much' } })).rejects.toThrow(
      /invalid value for parameter "shared_buffers"/,
    )
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('reports only the lines of this start when it fails, and its folder', async () => {
    useMadeFolder()
    await rm(join(dataFolder, 'data/global/pg_control'))
    const failed = startEmbeddedPostgres({ dataFolder })
    await expect(failed).rejects.toThrow(StartupError)
    await expect(failed).rejects.toThrow(`in the directory "${join(dataFolder, 'data')}"`)
    await expect(failed).rejects.toThrow(`Its log is in ${join(dataFolder, 'log')}.`)
    await expect(failed).rejects.not.toThrow(/database system is|Killed|proc.self/)
  })

  it('starts on a folder whose permissions were lost in a copy', async () => {
    useMadeFolder()
    await chmod(join(dataFolder, 'data'), 0o755)
    await start()
    expect((await stat(join(dataFolder, 'data'))).mode & 0o777).toBe(0o700)
  })

  it('works under a path that is too long for a socket', async () => {
    dataFolder = join(base, 'a'.repeat(60), 'b'.repeat(60), 'postgres')
    useMadeFolder()
    const server = await start()
    expect(server.socketFolder.startsWith(tmpdir())).toBe(true)
    expect((await stat(server.socketFolder)).mode & 0o777).toBe(0o700)
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    await rm(server.socketFolder, { recursive: true })
  })

  it('starts after an interrupted initdb', async () => {
    await mkdir(join(dataFolder, 'data.new-1/base'), { recursive: true })
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    expect(await readdir(dataFolder)).not.toContain('data.new-1')
  })

  it('works in a folder with spaces and quotes in its name', async () => {
    const folder = join(base, `it's "my" data = 1`)
    await start(folder)
    expect(await query('select 1 as one', folder)).toEqual([{ one: 1 }])
  })
})

describe('the password', () => {
  beforeEach(useMadeFolder)

  const passwordFile = (): string => `${dataFolder}.password`
  const connectWith = async (connection: ConnectionOptions): Promise<void> => {
    const opened = await openConnection(connection)
    opened.discard()
  }

  it('is required of every connection, and its file is closed to all other users', async () => {
    const { connectionOptions } = await start()
    expect((await stat(passwordFile())).mode & 0o777).toBe(0o600)
    await connectWith(connectionOptions)
    await expect(connectWith({ ...connectionOptions, password: 'wrong' })).rejects.toMatchObject({
      code: '28P01',
    })
    const { password: _password, ...withoutPassword } = connectionOptions
    await expect(connectWith(withoutPassword)).rejects.toThrow()
  })

  it('is set for a database of the first release, which trusted all connections, and its rows stay', async () => {
    const first = await start()
    await query('create table note as select 7 as id')
    await query('alter role zoetrope password null')
    await first.stop()
    await rm(passwordFile())
    const rules = join(dataFolder, 'data/pg_hba.conf')
    await writeFile(rules, 'local all all trust\nhost all all 127.0.0.1/32 reject\n')

    const { connectionOptions } = await start()
    expect(await query('select id from note')).toEqual([{ id: 7 }])
    await expect(connectWith({ ...connectionOptions, password: 'wrong' })).rejects.toMatchObject({
      code: '28P01',
    })
    expect(await readFile(rules, 'utf8')).not.toContain('trust')
  })

  it('is replaced when its file is lost or belongs to another database', async () => {
    await rm(passwordFile())
    const first = await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    await first.stop()
    await writeFile(passwordFile(), 'of-another-database')
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('when processes are killed', () => {
  beforeEach(useMadeFolder)

  it('stops within seconds after a SIGKILL of Node and loses no committed row', async () => {
    const child = await startInAnotherProcess()
    await query('create table note as select 7 as id')
    const pids = await processesIn(base)
    expect(pids.length).toBeGreaterThan(4)
    await kill(child)
    await expect.poll(() => processesIn(base)).toEqual([])
    await expect.poll(() => Promise.all(pids.map(isRunning))).not.toContain(true)

    await start()
    expect(await query('select id from note')).toEqual([{ id: 7 }])
  })

  it('waits for the old server when started right after that SIGKILL, and keeps its rows', async () => {
    const child = await startInAnotherProcess()
    await query('create table note as select 7 as id')
    await kill(child)
    await start()
    expect(await query('select id from note')).toEqual([{ id: 7 }])
  })

  it('stops a server whose watchdog was killed too on the next start', async () => {
    const child = await startInAnotherProcess()
    await query('create table note as select 7 as id')
    const orphan = await postmasterPid()
    await killWatchdog()
    await kill(child)
    expect(await isRunning(orphan)).toBe(true)

    await start()
    expect(await postmasterPid()).not.toBe(orphan)
    expect(await query('select id from note')).toEqual([{ id: 7 }])
    expect(await isRunning(orphan)).toBe(false)
  })

  it('recovers at once on the next start after a SIGKILL of all processes', async () => {
    const child = await startInAnotherProcess()
    await query('create table note as select 7 as id')
    for (const pid of await processesIn(base)) killIfRunning(pid)
    await kill(child)
    await start()
    expect(await query('select id from note')).toEqual([{ id: 7 }])
  })

  it('starts although postmaster.pid names an unrelated process', async () => {
    const first = await start()
    await first.stop()
    const claim = [process.pid, dataFolder, 0, 5432, '', '', '', 'ready', ''].join('\n')
    await writeFile(join(dataFolder, 'data/postmaster.pid'), claim)
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('leaves the shutdown to Node on Ctrl-C in the terminal', async () => {
    const child = await startInAnotherProcess()
    process.kill(-child.pid!, 'SIGINT')
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exit).toEqual([0, null])
    expect(await processesIn(base)).toEqual([])
  })
})

const killIfRunning = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Kills the watchdog shell and its reader at the same time: the reader alone would stop the server. */
const killWatchdog = async (): Promise<void> => {
  // The shell may start its reader after the server is ready, when the machine is busy.
  await expect.poll(watchdogProcesses).toHaveLength(2)
  for (const pid of await watchdogProcesses()) killIfRunning(pid)
}

const watchdogProcesses = async (): Promise<number[]> => {
  const pids = await processesIn(base)
  const programs = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/exe`).catch(() => 'postgres')))
  return pids.filter((_pid, index) => !programs[index]!.endsWith('postgres'))
}

it('names a full disk at the start', async (context) => {
  const disk = join(base, 'disk')
  await mkdir(disk)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk])
  context.skip(mounted.status !== 0, 'this user cannot mount a disk')
  try {
    await mkdir(join(disk, 'postgres'))
    await writeFile(join(disk, 'rest'), Buffer.alloc(64 * 1024)).catch(() => {})
    await expect(startEmbeddedPostgres({ dataFolder: join(disk, 'postgres') })).rejects.toThrow(
      `The disk of ${join(disk, 'postgres')} is full. Free some space, then start Zoetrope again.`,
    )
  } finally {
    spawnSync('umount', [disk])
  }
})

describe('two Zoetropes on one folder', () => {
  beforeEach(useMadeFolder)

  it('refuses the second with the pid of the first', async () => {
    const child = await startInAnotherProcess()
    await expect(startEmbeddedPostgres({ dataFolder })).rejects.toThrow(
      `in use by another Zoetrope (pid ${child.pid})`,
    )
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it('lets the second start when the first stops at that moment', async () => {
    const child = await startInAnotherProcess()
    child.kill('SIGTERM')
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe.runIf(isRoot)('as root', () => {
  it('runs the server as a system user', async () => {
    useMadeFolder()
    await start()
    const user = await findServerUser()
    expect(user?.uid).toBeGreaterThan(0)
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).toBe(user?.uid)
  })

  it('works in a data folder below one that is closed to that user', async () => {
    await chmod(base, 0o700)
    const first = await start()
    await query('create table note as select 7 as id')
    await first.stop()
    await start()
    expect(await query('select id from note')).toEqual([{ id: 7 }])
  })

  it('copies binaries from a closed folder, with their links, to where that user can read them', async () => {
    const user = await findServerUser()
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    const installed = join(dirname(dirname(createRequire(import.meta.url).resolve(name))), 'native')
    const closed = join(base, 'closed')
    await mkdir(closed, { mode: 0o700 })
    await chmod(base, 0o755)
    spawnSync('cp', ['-a', installed, closed])
    spawnSync('find', [closed, '-type', 'l', '-delete'])

    const copy = join(base, 'copy')
    const [one, other] = await Promise.all([
      usableBinaries(join(closed, 'native'), copy, user),
      usableBinaries(join(closed, 'native'), copy, user),
    ])
    expect(one).toEqual(other)
    const run = spawnSync(one.postgres, ['--version'], { encoding: 'utf8', uid: user!.uid, gid: user!.gid })
    expect(run.stdout).toMatch(/^postgres \(PostgreSQL\) 18/)
    expect((await readdir(base)).sort()).toEqual(['closed', 'copy'])
  })

  it('takes over a database that root has copied', async () => {
    useMadeFolder()
    spawnSync('chown', ['-R', '0:0', join(dataFolder, 'data')])
    await start()
    expect((await stat(join(dataFolder, 'data'))).uid).toBe((await stat(dataFolder)).uid)
  })

  it('takes over a folder that an ordinary user made', async () => {
    await mkdir(dataFolder)
    spawnSync('chown', ['-R', `${nobody}:${nobody}`, dataFolder])
    await start()
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
  })

  it.runIf(isReadableByNobody)('runs directly as an ordinary user', async () => {
    await chmod(base, 0o777)
    const child = await startInAnotherProcess({ uid: nobody, gid: nobody })
    expect(await query('select 1 as one')).toEqual([{ one: 1 }])
    expect((await stat(`/proc/${await postmasterPid()}`)).uid).toBe(nobody)
    const exit = once(child, 'exit')
    child.kill('SIGTERM')
    await exit
    expect(await processesIn(base)).toEqual([])
  })
})
