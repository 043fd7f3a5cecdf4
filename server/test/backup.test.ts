import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { request as openRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../src/platform/db/driver/connection.ts'
import { startEmbeddedPostgres } from '../src/platform/db/embedded-postgres/embedded-postgres.ts'
import { findFreePort } from './support/free-port.ts'
import { mainScript } from './support/main-script.ts'
import { countFrames, makeSample } from './support/media.ts'
import { customerPassword, openPostgresProxy } from './support/postgres-proxy.ts'
import { operate } from './support/operator.ts'
import { startProduct, type Product } from './support/product.ts'
import { runProgram } from './support/program.ts'
import { request } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

let base: string
let product: Product | null = null

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-backup-'))
})

afterAll(async () => {
  await product?.stop()
  await rm(base, { recursive: true, force: true })
})

const data = (folder: string) => ({ ZOETROPE_DATA: folder })

const start = async (dataFolder: string, environment: Readonly<Record<string, string>> = {}) => {
  const port = await findFreePort()
  const started = await startProduct(dataFolder, port, environment)
  product = started
  const call = (method: string, path: string, body?: object) =>
    request(`${started.url}/v3${path}`, method, { apiKey: started.apiKey, ...(body && { body }) })
  return { ...started, call }
}

/** Replaces the server address, which records contain, so that two servers compare equal. */
const withoutAddress = (record: unknown, url: string): unknown =>
  JSON.parse(JSON.stringify(record).replaceAll(url, 'https://here'))

test('a backup made during an upload restores the whole installation, including the unfinished upload', async () => {
  const first = await start(join(base, 'first'))
  const { body: project } = await first.call('POST', '/projects', {
    Name: 'Kept – ü',
    DefaultReleaseStatus: 'published',
    EncoderSettings: { UseEncoding: false },
  })
  const sample = await makeSample({ seconds: 3 })
  const files = `/projects/${project.Id}/files`
  const upload = async (name: string) =>
    (await first.call('POST', files, { FileName: name, FileSize: sample.length })).body
  const whole = await upload('whole.mp4')
  await request(whole.Upload.URI, 'PUT', { body: sample })
  const isFinished = async () => (await first.call('GET', `${files}/${whole.Id}`)).body
  await waitFor(isFinished, ({ IsFinished }) => IsFinished)
  await first.call('POST', '/modules/notifications', {
    TargetURL: 'http://127.0.0.1:9/',
    EventTypes: ['file.deleted'],
  })

  // Half of the file is acknowledged, and a second request stays open in the middle of the rest.
  const half = await upload('half.mp4')
  const arrived = Math.floor(sample.length / 2)
  const range = (from: number, end: number) => ({
    'content-range': `bytes ${from}-${end - 1}/${sample.length}`,
  })
  await request(half.Upload.URI, 'PUT', { headers: range(0, arrived), body: sample.subarray(0, arrived) })
  const sending = openRequest(half.Upload.URI, {
    method: 'PUT',
    headers: { 'content-length': sample.length - arrived, ...range(arrived, sample.length) },
  })
  sending.on('error', () => {})
  await new Promise((resolve) => sending.write(sample.subarray(arrived, arrived + 1_000), resolve))
  const before = (await first.call('GET', `${files}?sort=asc`)).body.Files as { Id: number }[]
  const backup = join(base, 'backup')
  const made = await runProgram(data(join(base, 'first')), 'backup', backup, '--json')
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(made.stdout)).toMatchObject({ Folder: backup, Media: 'folder' })
  expect((await stat(backup)).mode & 0o777).toBe(0o700)
  sending.destroy()
  await first.call('POST', '/projects', { Name: 'Later' })
  await first.stop()

  const again = join(base, 'again')
  const restored = await operate(data(again), 'restore', backup)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect((await operate(data(again), 'restore', backup)).stderr).toContain('is not empty')

  const second = await start(again)
  expect(second.apiKey).toBe(first.apiKey)
  // The restored credentials of the command line point at the new address.
  const commandLine = await readFile(join(again, 'cli.json'), 'utf8')
  expect(JSON.parse(commandLine)).toMatchObject({ ApiBase: `${second.url}/v3` })
  const { body: list } = await second.call('GET', `${files}?sort=asc`)
  expect(withoutAddress(list.Files, second.url)).toEqual(withoutAddress(before, first.url))
  expect((await second.call('GET', '/projects?search=Later')).body.TotalCount).toBe(0)
  expect(await countFrames(list.Files[0].Playouts[0].HLS)).toBe(90)
  expect((await request(list.Files[0].Metadata.StandardFilePicture.URI, 'GET')).status).toBe(200)
  // Webhook secrets decrypt with the restored master key.
  const { body: hooks } = await second.call('GET', '/modules/notifications')
  expect((await second.call('POST', `/modules/notifications/${hooks.Webhooks[0].Id}/test`)).status).toBe(201)
  // The upload resumes at its offset, and new ids continue the old sequence.
  const uri = (half.Upload.URI as string).replace(first.url, second.url)
  const head = await fetch(uri, { method: 'HEAD' })
  const offset = Number(head.headers.get('upload-offset'))
  expect(offset).toBe(arrived)
  const rest = await request(uri, 'PUT', {
    headers: range(offset, sample.length),
    body: sample.subarray(offset),
  })
  expect(rest.status).toBe(200)
  const halfRecord = async () => (await second.call('GET', `${files}/${half.Id}`)).body
  expect(await waitFor(halfRecord, ({ IsFinished }) => IsFinished)).toMatchObject({
    Status: 'finished',
  })
  expect((await second.call('POST', files, { FileName: 'next.mp4' })).body.Id).toBeGreaterThan(half.Id)
  await second.stop()
  product = null
})

test.each(['SIGINT', 'SIGTERM'] as const)('a backup that gets %s leaves nothing', async (signal) => {
  const folder = join(base, 'interrupted')
  const child = spawn(process.execPath, [mainScript, 'backup', folder], {
    env: { PATH: process.env['PATH'] ?? '', ...data(join(base, 'first')) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [stderr, closed] = [child.stderr.toArray(), once(child, 'close')]
  await expect.poll(() => readdir(folder).catch(() => []), { interval: 5, timeout: 10_000 }).not.toEqual([])
  child.kill(signal)
  // As `timeout` does, which signals the process and its group.
  child.kill(signal)
  expect(await closed).toEqual([130, null])
  expect((await stderr).join('')).toBe('The backup was interrupted. The incomplete backup was deleted.\n')
  await expect(stat(folder)).rejects.toThrow('ENOENT')
})

test('a backup of the embedded database restores into an external one that permits it', async () => {
  const external = await startEmbeddedPostgres({ dataFolder: join(base, 'external') })
  const proxy = await openPostgresProxy(external.socketFolder)
  const administrator = await openConnection(external.connectionOptions)
  await administrator.query(`create role customer login createrole password '${customerPassword}'`)
  await administrator.query('create database restored owner customer')
  const moved = join(base, 'moved')
  const environment = { ...data(moved), DATABASE_URL: proxy.urlOf('customer', 'restored') }
  const backup = join(base, 'backup')
  const refused = await operate(environment, 'restore', backup)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('grant set on parameter session_replication_role to customer')

  // The refused restore wrote nothing: the same command succeeds once the permission exists.
  await administrator.query('grant set on parameter session_replication_role to customer')
  administrator.discard()
  expect(await operate(environment, 'restore', backup)).toMatchObject({ code: 0, stderr: '' })
  const other = { ...environment, ...data(join(base, 'other')) }
  expect((await operate(other, 'restore', backup)).stderr).toContain('in DATABASE_URL is not empty')

  const { call, stop } = await start(moved, { DATABASE_URL: environment.DATABASE_URL })
  const { body: projects } = await call('GET', '/projects?search=Kept')
  expect(projects.Projects).toMatchObject([{ Name: 'Kept – ü', FileCount: 2 }])
  const { body: list } = await call('GET', `/projects/${projects.Projects[0].Id}/files?sort=asc`)
  expect(await countFrames(list.Files[0].Playouts[0].HLS)).toBe(90)
  expect(await readdir(moved)).not.toContain('postgres')
  await stop()
  product = null
  proxy.close()
  await external.stop()
})

test('restore refuses a damaged or incomplete backup before it writes anything', async () => {
  const target = join(base, 'refused')
  const damaged = join(base, 'damaged')
  await cp(join(base, 'backup'), damaged, { recursive: true })
  const names = await readdir(join(damaged, 'data/media/blobs'), { recursive: true, withFileTypes: true })
  const blob = names.find((entry) => entry.isFile())
  await appendFile(join(blob?.parentPath ?? '', blob?.name ?? ''), 'x')
  await rm(join(damaged, 'data/master.key'))
  const refused = await operate(data(target), 'restore', damaged)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/^The backup is incomplete or damaged:\n/)
  expect(refused.stderr).toContain('is damaged')
  expect(refused.stderr).toContain('data/master.key is missing')
  await rm(join(damaged, 'manifest.json'))
  expect((await operate(data(target), 'restore', damaged)).stderr).toContain('contains no backup')
  await expect(stat(target)).rejects.toThrow('ENOENT')
})

test('the server refuses to start on a half-restored installation', async () => {
  const half = join(base, 'half')
  await mkdir(join(half, '.restoring'), { recursive: true })
  const refused = await runProgram(data(half), 'serve')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('was interrupted') })
  expect((await operate(data(half), 'restore', join(base, 'backup'))).stderr).toContain('was interrupted')
  expect(await readdir(half)).toEqual(['.restoring'])
})

test('sha256sum verifies the checksums of a backup', async () => {
  const child = spawn('sha256sum', ['--check', '--quiet', '--strict', 'files.sha256'], {
    cwd: join(base, 'backup'),
  })
  expect((await once(child, 'close'))[0]).toBe(0)
})

test('backup works on a stopped installation, but not into its own data folder', async () => {
  const inside = await operate(data(join(base, 'first')), 'backup', join(base, 'first/backup'))
  expect(inside).toMatchObject({ code: 1, stderr: expect.stringContaining('is inside the data folder') })
  await rm(join(base, 'first/backup'), { recursive: true, force: true })
  const full = await operate(data(join(base, 'first')), 'backup', base)
  expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining('is not empty') })
  const still = await operate(data(join(base, 'first')), 'backup', join(base, 'still'))
  expect(still).toMatchObject({ code: 0, stderr: '' })
})

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()

describe('an encrypted backup', () => {
  let sealed: string
  let identityFile: string

  beforeAll(async () => {
    sealed = join(base, 'sealed')
    identityFile = join(base, 'identity.txt')
    const identity = await generateIdentity()
    await writeFile(identityFile, `# created: 2026-11-23\n# public key: age1…\n${identity}\n`)
    const recipients = [
      await identityToRecipient(await generateIdentity()),
      await identityToRecipient(identity),
    ]
    const words = recipients.flatMap((recipient) => ['--recipient', recipient])
    const made = await operate(data(join(base, 'first')), 'backup', sealed, ...words, '--json')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(made.stdout)).toMatchObject({ Folder: sealed, IsEncrypted: true })
  })

  const restoreTo = (name: string, from = sealed, identity = identityFile) =>
    operate(data(join(base, name)), 'restore', from, '--identity', identity)

  test('contains nothing in plain text and restores media, keys and rows with any of its identities', async () => {
    const files = await filesBelow(sealed)
    expect(files.filter((name) => !name.endsWith('.age'))).toEqual(['files.sha256'])
    for (const name of files.filter((one) => one.endsWith('.age')))
      expect((await readFile(join(sealed, name))).subarray(0, 21).toString()).toBe('age-encryption.org/v1')

    expect(await restoreTo('opened')).toMatchObject({ code: 0, stderr: '' })
    const plain = join(base, 'plain')
    expect(await operate(data(join(base, 'opened')), 'backup', plain)).toMatchObject({ code: 0, stderr: '' })
    const still = join(base, 'still')
    expect(await filesBelow(plain)).toEqual(await filesBelow(still))
    for (const name of (await filesBelow(plain)).filter((one) => one.startsWith('da'))) {
      const [one, other] = [await readFile(join(plain, name)), await readFile(join(still, name))]
      const isRows = name.endsWith('.gz')
      expect([name, isRows ? gunzipSync(one).equals(gunzipSync(other)) : one.equals(other)]).toEqual([
        name,
        true,
      ])
    }
  })

  test('is refused without its identity and with another one', async () => {
    const without = await operate(data(join(base, 'none')), 'restore', sealed)
    expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('is encrypted. Name the file') })
    const otherFile = join(base, 'other-identity.txt')
    await writeFile(otherFile, await generateIdentity())
    const other = await restoreTo('none', sealed, otherFile)
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('for another recipient') })
    const missing = await restoreTo('none', sealed, join(base, 'missing.txt'))
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cannot read the identity file'),
    })
    const wrongKind = await restoreTo('none', sealed, join(base, 'first/master.key'))
    expect(wrongKind).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not an identity file of age'),
    })
    await expect(stat(join(base, 'none'))).rejects.toThrow('ENOENT')
  })

  test('is refused when a file is changed, cut off or replaced, before anything is written', async () => {
    const forged = join(base, 'forged')
    await cp(sealed, forged, { recursive: true })
    const manifest = join(forged, 'manifest.json.age')
    const intact = await readFile(manifest)
    const expectRefusal = async (message: string) => {
      expect(await restoreTo('none', forged)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(message),
      })
      await expect(stat(join(base, 'none'))).rejects.toThrow('ENOENT')
    }
    await truncate(manifest, intact.length - 1)
    await expectRefusal('manifest.json.age is damaged, cut off or changed')
    await writeFile(manifest, Buffer.concat([intact.subarray(0, -1), Buffer.of((intact.at(-1) ?? 0) ^ 1)]))
    await expectRefusal('manifest.json.age is damaged, cut off or changed')
    await writeFile(manifest, intact)
    const key = join(forged, 'data/master.key.age')
    await writeFile(key, await readFile(join(forged, 'data/cli.json.age')))
    await expectRefusal('data/master.key.age is damaged')
    await rm(key)
    await expectRefusal('data/master.key.age is missing')
  })

  test('cannot be replaced by one in plain text, and needs valid recipients', async () => {
    const plain = await restoreTo('none', join(base, 'backup'))
    expect(plain).toMatchObject({ code: 1, stderr: expect.stringContaining('is not encrypted') })
    const secret = await generateIdentity()
    const wrong = await operate(data(join(base, 'first')), 'backup', join(base, 'no'), '--recipient', secret)
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('must be the public key') })
    expect(wrong.stderr).not.toContain(secret)
    const misplaced = await operate(data(join(base, 'first')), 'backup', join(base, 'no'), '--identity', 'x')
    expect(misplaced).toMatchObject({ code: 2, stderr: expect.stringContaining('does not take --identity') })
    await expect(stat(join(base, 'no'))).rejects.toThrow('ENOENT')
  })
})
