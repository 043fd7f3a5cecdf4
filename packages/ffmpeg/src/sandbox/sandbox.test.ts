import { createServer } from 'node:net'
import { once } from 'node:events'
import { chmod, lstat, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackProgram, attackResults, harmless, interpreter } from '../../test-support/hostile-program.ts'
import { errorOfExit } from '../run/describe-exit.ts'
import { MediaError } from '../run/media-error.ts'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import { startGuarded } from '../run/guarded-process.ts'
import { confinementOf } from './confinement-of.ts'
import { grantFiles } from './own-user.ts'
import { findInPath, sandboxLevel, sandboxLevels, type SandboxLevel } from './sandbox.ts'

let folder: string
let secret: string
let work: string
let tcpPort: number
let unixSocket: string
const servers: ReturnType<typeof createServer>[] = []
let connections = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-sandbox-'))
  secret = join(folder, 'master.key')
  await writeFile(secret, 'the master key')
  await chmod(secret, 0o600)
  work = await mkdtemp(join(folder, 'work-'))
  unixSocket = join(folder, 's')
  for (const place of [{ port: 0, host: '127.0.0.1' }, { path: unixSocket }]) {
    const server = createServer((socket) => {
      connections += 1
      socket.end()
    }).listen(place)
    await once(server, 'listening')
    servers.push(server)
  }
  tcpPort = (servers[0]!.address() as { port: number }).port
})

afterAll(async () => {
  for (const server of servers) server.close()
  await rm(folder, { recursive: true, force: true })
})

const limits = { memoryBytes: 256 * 1024 * 1024 }

type Place = { level: SandboxLevel | 'unconfined'; network?: boolean; mostForks?: number }

const runAttack = async ({ level, network = false, mostForks = 10_000 }: Place) => {
  const program = findInPath('perl')
  if (program === null) throw new Error('perl is missing')
  const outside = join(folder, 'outside')
  const workFolder = await mkdtemp(join(folder, 'work-'))
  const library = level === 'unconfined' ? join(folder, 'library') : '/usr/lib/planted'
  const attack = attackProgram({
    ...{ secret, outside, library, unixSocket, tcpPort, mostForks },
    ...{ serverId: process.pid, report: 1 },
  })
  const child = startGuarded(program, ['-e', attack], {
    workFolder,
    ...(level !== 'unconfined' && { level, limits }),
    confinement: level === 'unconfined' ? null : { readable: interpreter, writable: [], network },
  })
  const output = await text(child.stdout)
  const exit = await child.exited
  expect(exit.stderrTail).toBe('')
  expect(exit.exitCode).toBe(0)
  // The server would follow it.
  if (level !== 'unconfined')
    await expect(lstat(join(workFolder, 'link'))).rejects.toMatchObject({ code: 'ENOENT' })
  return attackResults(output)
}

describe.runIf(process.platform === 'linux')('a hostile program in place of ffmpeg', () => {
  // Containers may forbid namespaces: the machine says which levels it can prove.
  const best = sandboxLevel()

  test.runIf(process.geteuid?.() === 0)('achieves everything without a sandbox', async () => {
    const { 'fork 10000 times': _, ...others } = harmless
    expect(await runAttack({ level: 'unconfined', mostForks: 10 })).toEqual({
      ...Object.fromEntries(Object.keys(others).map((name) => [name, 'done'])),
      // It depends on the routes of this machine.
      'send to 169.254.169.254': expect.any(String),
      'fork 10 times': 'done',
    })
    expect(connections).toBe(2)
    connections = 0
  })

  test.runIf(best === 'namespaces')('achieves nothing in namespaces', async () => {
    expect(await runAttack({ level: 'namespaces' })).toEqual(harmless)
    expect(connections).toBe(0)
  })

  test.runIf(best !== 'limits')('achieves nothing under Landlock', async () => {
    expect(await runAttack({ level: 'landlock' })).toEqual(harmless)
    expect(connections).toBe(0)
  })

  test.runIf(best !== 'limits').each(['namespaces', 'landlock'] as const)(
    'can only send datagrams while it receives SRT, at the level %s',
    async (level) => {
      if (level === 'namespaces' && best !== 'namespaces') return
      expect(await runAttack({ level, network: true })).toEqual({
        ...harmless,
        'send to 169.254.169.254': expect.any(String),
      })
      expect(connections).toBe(0)
    },
  )

  test.runIf(process.geteuid?.() === 0)(
    'has neither keys nor other processes as a user of its own, where nothing else works',
    async () => {
      const left = ['read /etc/passwd', 'see other processes', 'link to the key', 'connect to loopback']
      const { 'fork 10000 times': _, ...others } = harmless
      expect(await runAttack({ level: 'limits', mostForks: 10 })).toEqual({
        ...others,
        ...Object.fromEntries(left.map((name) => [name, 'done'])),
        'send to 169.254.169.254': expect.any(String),
        'fork 10 times': 'done',
      })
    },
  )

  test.each(['namespaces', 'landlock', 'limits'] as const)(
    'gets no more memory than its limit, at the level %s',
    async (level) => {
      if (sandboxLevels.indexOf(level) < sandboxLevels.indexOf(best)) return
      const child = startGuarded(
        findInPath('perl') ?? '',
        ['-e', 'my $x = "a" x 10_000_000_000; print length $x'],
        {
          level,
          limits,
          confinement: { readable: interpreter, writable: [], network: false },
        },
      )
      expect(await text(child.stdout)).toBe('')
      expect(errorOfExit('perl', await child.exited, limits)).toBeInstanceOf(MediaError)
    },
  )
})

test.runIf(process.geteuid?.() === 0)('files of another user are named by their descriptors', async () => {
  const inputs = await mkdtemp(join(folder, 'inputs-'))
  const [playlist, output] = [join(inputs, 'index.m3u8'), join(folder, 'output.mp4')]
  await Promise.all([playlist, output].map((path) => writeFile(path, '')))
  const own = await mkdtemp(join(folder, 'own-'))
  const granted = grantFiles(
    { readable: [playlist, inputs], writable: [output] },
    { workFolder: own, firstDescriptor: 5 },
  )
  granted.close()
  const named = [`file:${playlist}`, output, `${own}/a.jpg`, `${own}er`, '-i'].map(granted.renamed)
  expect(named).toEqual([
    ...['file:/proc/self/fd/5/index.m3u8', '/proc/self/fd/6', '/proc/self/cwd/a.jpg', `${own}er`, '-i'],
  ])
})

test('ffmpeg cannot read a file that is not its input, nor write outside of its work folder', async () => {
  const source = ['-f', 'lavfi', '-i', 'color=size=16x16:rate=1:duration=1', '-c:v', 'mpeg4']
  const outside = join(folder, 'outside.mp4')
  await expect(
    runFfmpeg([...source, '-y', outside], { outputPipes: 0, workFolder: work }).done,
  ).rejects.toMatchObject({ code: 'failed' })
  await expect(stat(outside)).rejects.toMatchObject({ code: 'ENOENT' })
  await runFfmpeg([...source, '-y', 'inside.mp4'], { outputPipes: 0, workFolder: work }).done
  expect((await readFile(join(work, 'inside.mp4'))).length).toBeGreaterThan(0)
})

test('a run may reach the files after -i, its output files, and the network only for a network input', () => {
  expect(
    confinementOf(['-i', 'file:/a/b.mp4', '-i', 'file:watermark.png', '-f', 'mp4', '/c/d'], {
      outputFiles: ['/e'],
    }),
  ).toEqual({
    readable: ['/a/b.mp4'],
    writable: ['/e'],
    network: false,
  })
  expect(confinementOf(['-i', 'srt://10.0.0.1:9000', 'pipe:3'], {}).network).toBe(true)
  expect(confinementOf(['-http_proxy', 'http://127.0.0.1:1', '-i', 'pipe:0'], {}).network).toBe(false)
})
