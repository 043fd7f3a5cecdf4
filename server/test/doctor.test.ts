import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { judgeClock } from '../src/app/commands/doctor/check-database.ts'
import { judgeSpace } from '../src/app/commands/doctor/check-disk.ts'
import { checkNode } from '../src/app/commands/doctor/check-programs.ts'
import { checkRemoteWorkers } from '../src/app/commands/doctor/check-remote-workers.ts'
import { startClickHouseServer } from '../src/analytics/test-support/clickhouse-server.ts'
import type { Finding } from '../src/app/commands/doctor/finding.ts'
import {
  countResult,
  createRemoteWorker,
  revokeRemoteWorker,
} from '../src/ingest/encoding/remote/remote-worker-store.ts'
import { createSecrets } from '../src/platform/base/secrets.ts'
import { loginOf, type ProcessRole } from '../src/platform/db/process-roles/login.ts'
import { findFreePort } from './support/free-port.ts'
import { createTestDatabase } from './support/test-database.ts'
import { operate } from './support/operator.ts'
import { findInMemory } from './support/process-memory.ts'
import { waitFor } from './support/wait-for.ts'
import { startProduct, type Product } from './support/product.ts'
import { runProgram } from './support/program.ts'

let base: string
let product: Product
let port: number
/** The environment that the running server was started with. */
let settings: Record<string, string>

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-doctor-'))
  port = await findFreePort()
  settings = {
    ZOETROPE_DATA: join(base, 'data'),
    ZOETROPE_PORT: String(port),
    ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
    ZOETROPE_RTMP_PORT: '0',
    ZOETROPE_SRT_PORT: '0',
  }
  product = await startProduct(join(base, 'data'), port)
})

afterAll(async () => {
  await product.stop()
  await rm(base, { recursive: true, force: true })
})

const findingsIn = (stdout: string): Finding[] => (JSON.parse(stdout) as { Findings: Finding[] }).Findings

/** Returns the failed findings by name. The command must exit with 1. */
const brokenWith = async (environment: Record<string, string>): Promise<Record<string, string>> => {
  const { code, stdout } = await operate({ ...settings, ...environment }, 'doctor', '--json')
  expect(code).toBe(1)
  const failed = findingsIn(stdout).filter(({ Status }) => Status === 'failed')
  return Object.fromEntries(failed.map(({ Check, Message }) => [Check, Message]))
}

test('doctor finds no fault on a running installation and exits with 0', async () => {
  const { code, stdout, stderr } = await runProgram(settings, 'doctor', '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const findings = findingsIn(stdout)
  expect(findings.filter(({ Status }) => Status === 'failed')).toEqual([])
  const fine = findings.filter(({ Status }) => Status === 'ok').map(({ Check }) => Check)
  expect(fine).toEqual(
    expect.arrayContaining([
      'Node.js',
      'ffmpeg',
      'Settings',
      'Database',
      'Database logins',
      'Workers',
      'API',
    ]),
  )
  expect(fine).toEqual(expect.arrayContaining(['Data folder', 'Clock', 'Public URL', 'API key']))
})

test('doctor reports that an api process runs without a worker', async () => {
  const { database, drop } = await createTestDatabase()
  const [row] = await database.sql<{ name: string }[]>`select current_database() as name`
  const { host, user, password } = inject('postgres')
  const url = `postgres://${user}:${password}@localhost/${row!.name}?host=${encodeURIComponent(host)}`
  const api = createServer((_request, response) => void response.end('{"status":"ready"}'))
  api.listen(0, '127.0.0.1')
  await once(api, 'listening')
  const failed = await brokenWith({
    DATABASE_URL: url,
    ZOETROPE_PORT: String((api.address() as AddressInfo).port),
  })
  expect(failed['Workers']).toMatch(/^No worker is connected .* serve --role worker/)
  api.close()
  await drop()
})

const answering = async (status: number, body = '{}') => {
  const server = createServer((_request, response) => void response.writeHead(status).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: taken } = server.address() as AddressInfo
  return { port: String(taken), [Symbol.dispose]: () => void server.close() }
}

test.each([
  ['56. 24.101', 'failed'],
  ['59. 39.100', 'ok'],
])('doctor judges an ffmpeg without a version number by its libavutil %s: %s', async (library, Status) => {
  const bin = join(base, `bin-${Status}`)
  await mkdir(bin)
  const ffmpeg = `#!/bin/sh\nprintf 'ffmpeg version N-47683\\nlibavutil      ${library} / ${library}\\n'\n`
  await writeFile(join(bin, 'ffmpeg'), ffmpeg, { mode: 0o755 })
  const { stdout } = await runProgram({ PATH: bin, ZOETROPE_DATA: join(base, 'new') }, 'doctor', '--json')
  expect(findingsIn(stdout)).toContainEqual(expect.objectContaining({ Check: 'ffmpeg', Status }))
})

test('doctor reports an old ffmpeg and all occupied ports in one run', async () => {
  const bin = join(base, 'bin')
  await mkdir(bin)
  const ffmpeg = `#!/bin/sh
case $* in
  *-version*) echo 'ffmpeg version 4.3.6 Copyright' ;;
  *) printf ' V..... aac x\n V..... mjpeg x\n ... scale V->V x\n' ;;
esac
`
  await writeFile(join(bin, 'ffmpeg'), ffmpeg, { mode: 0o755 })
  const udp = createSocket('udp4').bind(0, '127.0.0.1')
  await once(udp, 'listening')
  using other = await answering(404)
  const { code, stdout } = await runProgram(
    {
      PATH: bin,
      ZOETROPE_DATA: join(base, 'new'),
      ZOETROPE_PORT: other.port,
      ZOETROPE_RTMP_PORT: other.port,
      ZOETROPE_SRT_PORT: String(udp.address().port),
      ZOETROPE_CALLED_AS: 'zoetrope',
    },
    'doctor',
  )
  udp.close()
  expect(code).toBe(1)
  expect(stdout).toContain('4.3.6 is too old')
  expect(stdout).toContain('ffprobe is missing')
  expect(stdout).toMatch(/built without libx264\. /)
  expect(stdout).toMatch(/built without format, fps/)
  for (const name of ['ZOETROPE_PORT', 'ZOETROPE_RTMP_PORT', 'ZOETROPE_SRT_PORT'])
    expect(stdout).toContain(`. Stop it, or set ${name}`)
  expect(stdout).toContain(' with zoetrope up.')
})

test('doctor names another program on a port of the running installation, and a port without a listener', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const taken = (other.address() as AddressInfo).port
  const free = await findFreePort()
  const environment = {
    ...settings,
    ZOETROPE_RTMP_PORT: String(taken),
    ZOETROPE_SRT_PORT: String(free),
    ZOETROPE_WORKER_PORT: String(free),
    ZOETROPE_LIVE_HEALTH_PORT: String(taken),
  }
  const { code, stdout } = await operate(environment, 'doctor', '--json')
  other.close()
  expect(code).toBe(1)
  const findings = findingsIn(stdout)
  expect(findings.find(({ Check }) => Check === 'Port of RTMP')).toMatchObject({
    Status: 'failed',
    Message: expect.stringMatching(`^Process ${process.pid} \\(.+\\) uses port ${taken}, not Zoetrope`),
  })
  expect(findings.find(({ Check }) => Check === 'Port of SRT')).toMatchObject({
    Status: 'warning',
    Message: expect.stringMatching(`does not listen on port ${free}`),
  })
  expect(findings.find(({ Check }) => Check === 'Port of the worker')).toMatchObject({
    Status: 'warning',
    Message: expect.stringMatching('If this machine runs a worker'),
  })
  expect(findings.find(({ Check }) => Check === 'Port of the live node')).toMatchObject({ Status: 'failed' })
  expect(findings.find(({ Check }) => Check === 'Port of the API')).toMatchObject({ Status: 'ok' })
})

test('doctor does not warn of the ports of a live node where the api process runs without one', async () => {
  // This test process takes the place of the api process; no supervisor has started it.
  using api = await answering(200, '{"status":"ready"}')
  const free = await findFreePort()
  const { stdout } = await operate(
    { ...settings, ZOETROPE_PORT: api.port, ZOETROPE_RTMP_PORT: String(free) },
    'doctor',
    '--json',
  )
  expect(findingsIn(stdout).find(({ Check }) => Check === 'Port of RTMP')).toEqual({
    Check: 'Port of RTMP',
    Status: 'ok',
    Message: `${free} is free, because the api process runs without a live node`,
  })
})

test('doctor names the data folder of another installation', async () => {
  const { Database = '' } = await brokenWith({ ZOETROPE_DATA: base })
  expect(Database).toBe(
    `Zoetrope runs, but its PostgreSQL cannot be reached in ${base}/postgres. Restart Zoetrope, or run doctor with the same ZOETROPE_DATA.`,
  )
})

test('doctor names each invalid setting', async () => {
  const folder = join(base, 'misspelt')
  await mkdir(folder)
  await writeFile(join(folder, 'zoetrope.config'), 'ZOETROPE_PROT=80\n')
  const { code, stdout } = await operate(
    { ...settings, ZOETROPE_DATA: folder, ZOETROPE_RTMP_PORT: 'many' },
    'doctor',
  )
  expect(code).toBe(1)
  expect(stdout).toContain('unknown setting ZOETROPE_PROT')
  expect(stdout).toContain('ZOETROPE_RTMP_PORT')
})

test.each(['--help', '-h'])('%s shows how the commands of operators are called', async (option) => {
  const { code, stdout, stderr } = await operate({ ZOETROPE_CALLED_AS: 'zoetrope' }, 'keys', option)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Usage: zoetrope doctor [--json]')
  expect(stdout).toContain('zoetrope keys rotate-master')
})

test('doctor warns of environment variables that have no effect', async () => {
  const { code, stdout } = await operate({ ...settings, ZOETROPE_RETENTION_DAY: '3' }, 'doctor')
  expect(code).toBe(0)
  expect(stdout).toContain('! Settings')
  expect(stdout).toContain('ZOETROPE_RETENTION_DAY is not a setting')
})

test('doctor checks ClickHouse and the country database', async () => {
  const inClickHouse = { ZOETROPE_ANALYTICS_VIEWS: 'clickhouse' }
  expect(await brokenWith(inClickHouse)).toEqual({
    Views: 'ZOETROPE_ANALYTICS_VIEWS=clickhouse needs ZOETROPE_CLICKHOUSE_URL.',
  })
  const clickHouse = await startClickHouseServer()
  const set = { ...inClickHouse, ZOETROPE_CLICKHOUSE_URL: clickHouse.url }
  const works = await operate({ ...settings, ...set }, 'doctor')
  expect(works).toMatchObject({ code: 0, stdout: expect.stringContaining('has the table of views') })
  clickHouse.mode = 'refuse'
  const broken = await brokenWith(set)
  await clickHouse.stop()
  expect(broken).toEqual({ Views: expect.stringContaining('readonly mode') })
  expect(broken['Views']).not.toContain('secret')
  const missing = join(base, 'none.mmdb')
  const unknown = await operate({ ...settings, ZOETROPE_ANALYTICS_COUNTRY_DATABASE: missing }, 'doctor')
  expect(unknown).toMatchObject({ code: 0, stdout: expect.stringContaining(`cannot read ${missing}`) })
})

test('doctor loads DuckDB when it is needed', async () => {
  const { code, stdout } = await operate({ ...settings, ZOETROPE_ANALYTICS_VIEWS: 'parquet' }, 'doctor')
  expect(code).toBe(0)
  expect(stdout).toContain('DuckDB loads')
})

test('doctor judges the disks of folders that are not on the disk of the data folder', async (context) => {
  const data = join(base, 'two-disks')
  await mkdir(data)
  const { dev } = await stat(data)
  const places = await Promise.all(
    ['/dev/shm', '/var/tmp'].map((place) =>
      stat(place).then(
        (found) => found.dev !== dev && place,
        () => false,
      ),
    ),
  )
  const place = places.find((one) => typeof one === 'string')
  if (place === undefined) return context.skip()
  const other = await mkdtemp(`${place}/zoetrope-doctor-`)
  await symlink(other, join(data, 'postgres'))
  await mkdir(join(data, 'media'))
  const { stdout } = await operate({ ...settings, ZOETROPE_DATA: data }, 'doctor', '--json')
  await rm(other, { recursive: true })
  const names = findingsIn(stdout).map(({ Check }) => Check)
  expect(names).toContain('Disk of postgres/')
  expect(names).not.toContain('Disk of media/')
})

test('doctor names each folder in the data folder that Zoetrope cannot use', async () => {
  const data = join(base, 'unusable')
  await mkdir(join(data, 'live'), { recursive: true })
  await mkdir(join(data, 'work'))
  await writeFile(join(data, 'uploads'), '')
  const isRoot = process.getuid?.() === 0
  if (!isRoot) await chmod(join(data, 'live'), 0o500)
  const { code, stdout } = await operate({ ...settings, ZOETROPE_DATA: data }, 'doctor', '--json')
  expect(code).toBe(1)
  const failed = findingsIn(stdout).filter(
    ({ Check, Status }) => Check === 'Data folder' && Status === 'failed',
  )
  expect(failed.map(({ Message }) => Message)).toEqual([
    `${join(data, 'uploads')} is not a folder. Move it away.`,
    // Root can write everywhere.
    ...(isRoot ? [] : [expect.stringContaining(`This user cannot write to ${join(data, 'live')}.`)]),
  ])
})

test('doctor names a data folder that is a file or half restored', async () => {
  const file = join(base, 'file')
  await writeFile(file, '')
  expect(await brokenWith({ ZOETROPE_DATA: file })).toMatchObject({
    'Data folder': expect.stringContaining('is not a folder'),
  })
  await mkdir(join(base, 'half/.restoring'), { recursive: true })
  expect(await brokenWith({ ZOETROPE_DATA: join(base, 'half') })).toMatchObject({
    'Data folder': expect.stringContaining('was interrupted'),
  })
})

test('doctor names a database, a public URL and an API key that do not work', async () => {
  const nowhere = `127.0.0.1:${await findFreePort()}`
  const commandLine = join(base, 'data/cli.json')
  const kept = await readFile(commandLine, 'utf8')
  await writeFile(commandLine, '{"ApiKey": "revoked"}')
  const broken = await brokenWith({
    DATABASE_URL: `postgres://zoetrope:secret@${nowhere}/zoetrope`,
    ZOETROPE_PUBLIC_URL: `http://${nowhere}`,
  })
  expect(broken).toEqual({
    Database: expect.stringContaining('Check DATABASE_URL'),
    'Public URL': expect.stringContaining('does not respond'),
    'API key': expect.stringContaining('is revoked or expired'),
  })
  expect(JSON.stringify(broken)).not.toContain('secret')
  await writeFile(commandLine, '{')
  expect(await brokenWith({})).toEqual({ 'API key': expect.stringContaining('is damaged') })
  await writeFile(commandLine, kept)
})

test('doctor names a server that is not ready, and accepts one that runs on another machine', async () => {
  using unready = await answering(503)
  expect(await brokenWith({ ZOETROPE_PORT: unready.port })).toMatchObject({
    API: expect.stringContaining('cannot reach its database'),
  })
  const elsewhere = { ...settings, ZOETROPE_PORT: String(await findFreePort()) }
  const { code, stdout } = await operate(elsewhere, 'doctor')
  expect(code).toBe(0)
  expect(stdout).toContain(`A Zoetrope with this data folder runs at http://127.0.0.1:${port}`)
})

test('doctor names paused remote workers and why they are paused', async () => {
  const { database, connection, drop } = await createTestDatabase()
  const { id } = await createRemoteWorker(database.kysely, 'Render node 1')
  expect(await checkRemoteWorkers(connection)).toEqual([])
  for (let count = 0; count < 4; count++) await countResult(database.kysely, id, 'Its disk is full.')
  expect(await checkRemoteWorkers(connection)).toEqual([
    {
      Check: 'Remote worker',
      Status: 'warning',
      Message: `${id} "Render node 1" is paused: Its disk is full. Fix the cause, then run ./zoetrope worker-token resume ${id}.`,
    },
  ])
  await revokeRemoteWorker(database.kysely, id)
  expect(await checkRemoteWorkers(connection)).toEqual([])
  await drop()
})

test.each([
  ['900 MB free', judgeSpace(900_000_000), 'failed'],
  ['5 GB free', judgeSpace(5_000_000_000), 'warning'],
  ['50 GB free', judgeSpace(50_000_000_000), 'ok'],
  ['a clock 4 s off', judgeClock(4), 'ok'],
  ['a clock 6 s off', judgeClock(-6), 'failed'],
  ['Node.js 22.17.1', checkNode('22.17.1'), 'failed'],
  ['Node.js 22.18.0', checkNode('22.18.0'), 'ok'],
  ['Node.js 26.0.0', checkNode('26.0.0'), 'ok'],
])('%s', (_name, { Status }, expected) => expect(Status).toBe(expected))

test('only the api process holds the master key, and each process only the password of its database login', async () => {
  const masterKey = await readFile(join(base, 'data', 'master.key'), 'utf8')
  const key = Buffer.from(masterKey, 'base64')
  const { derive } = createSecrets(key)
  const passwordOf = (role: ProcessRole) => Buffer.from(loginOf(role, 'postgres', derive).password)
  const needles = {
    ownerPassword: Buffer.from((await readFile(join(base, 'data', 'postgres.password'), 'utf8')).trim()),
    apiPassword: passwordOf('api'),
    workerPassword: passwordOf('worker'),
    livePassword: passwordOf('live'),
    masterKey: key,
    masterKeyText: Buffer.from(masterKey.trim()),
    sealingKey: derive('seal'),
    signingKey: derive('sign-in device'),
  }
  const inRole = async (role: 'api' | 'worker' | 'live') => findInMemory(await product.rolePid(role), needles)
  // Shows that the search finds what is there. It misses what the garbage collector moves meanwhile.
  const inApi = await waitFor(
    () => inRole('api'),
    (found) => found.includes('sealingKey') && found.includes('apiPassword'),
  )
  expect(inApi).not.toContain('ownerPassword')
  expect(await inRole('worker')).toEqual(['workerPassword'])
  expect(await inRole('live')).toEqual(['livePassword'])
})
