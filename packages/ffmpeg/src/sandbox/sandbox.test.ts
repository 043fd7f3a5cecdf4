import { createServer } from 'node:net'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runFfmpeg } from '../run/run-ffmpeg.ts'
import { startGuarded } from '../run/guarded-process.ts'
import { confinementOf } from './confinement-of.ts'
import { findInPath, sandboxLevel, type SandboxLevel } from './sandbox.ts'

/** Perl and its libraries: the attacker has an interpreter, which is more than a fault in ffmpeg gives. */
const interpreter = ['/usr/bin', '/bin', '/usr/share/perl', '/etc/perl']

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

/** Each line of the program prints `name=result`, where `refused` is what we want. */
const attack = `
use Socket;
$| = 1;
sub report { print "$_[0]=", ($_[1] ? 'done' : 'refused'), "\\n" }
my ($secret, $outside, $unix, $port) = @ARGV;
report('read key', open(my $f, '<', $secret));
report('read passwd', open(my $p, '<', '/etc/passwd'));
report('read environ', open(my $e, '<', '/proc/1/environ'));
report('see processes', scalar(grep { /^[0-9]+$/ } map { s{.*/}{}r } glob('/proc/[0-9]*')));
report('write outside', open(my $o, '>', $outside));
report('write system', open(my $y, '>', '/usr/lib/planted'));
report('unix socket', socket(my $u, PF_UNIX, SOCK_STREAM, 0) && connect($u, sockaddr_un($unix)));
report('tcp loopback', socket(my $t, PF_INET, SOCK_STREAM, 0) && connect($t, sockaddr_in($port, inet_aton('127.0.0.1'))));
report('udp metadata', socket(my $m, PF_INET, SOCK_DGRAM, 0) && send($m, 'x', 0, sockaddr_in(80, inet_aton('169.254.169.254'))));
report('signal others', kill(0, getppid()) && getppid() > 1);
my $forks = 0;
for (1 .. 10_000) { my $child = fork(); last unless defined $child; exit 0 if $child == 0; $forks++ }
report('fork', $forks > 0);
report('ptrace', syscall(101, 16, 1, 0, 0) == 0);
report('write work', open(my $w, '>', 'result'));
`

const runAttack = async (level: SandboxLevel): Promise<Record<string, string>> => {
  const program = findInPath('perl')
  if (program === null) throw new Error('perl is missing')
  const outside = join(folder, 'outside')
  const child = startGuarded(program, ['-e', attack, secret, outside, unixSocket, String(tcpPort)], {
    workFolder: work,
    level,
    confinement: { readable: interpreter, writable: [], network: false },
  })
  const output = await text(child.stdout)
  const exit = await child.exited
  expect(exit.stderrTail).toBe('')
  expect(exit.exitCode).toBe(0)
  return Object.fromEntries(
    output
      .trim()
      .split('\n')
      .map((line) => line.split('=')),
  )
}

const refusedAttempts = [
  ...['read key', 'read passwd', 'read environ', 'see processes', 'write outside', 'write system'],
  ...['unix socket', 'tcp loopback', 'udp metadata', 'signal others', 'fork', 'ptrace'],
]
const harmless = {
  ...Object.fromEntries(refusedAttempts.map((name) => [name, 'refused'])),
  'write work': 'done',
}

describe.runIf(process.platform === 'linux')('a hostile program in place of ffmpeg', () => {
  // Containers may forbid namespaces: the machine says which levels it can prove.
  const best = sandboxLevel()

  test.runIf(best === 'namespaces')('achieves nothing in namespaces', async () => {
    expect(await runAttack('namespaces')).toEqual(harmless)
    expect(connections).toBe(0)
  })

  test.runIf(best !== 'limits')('achieves nothing under Landlock', async () => {
    expect(await runAttack('landlock')).toEqual(harmless)
    expect(connections).toBe(0)
  })

  test('gets no more memory than its limit', async () => {
    const child = startGuarded(
      findInPath('perl') ?? '',
      ['-e', 'my $x = "a" x 10_000_000_000; print length $x'],
      {
        workFolder: work,
        limits: { memoryBytes: 256 * 1024 * 1024 },
        confinement: { readable: interpreter, writable: [], network: false },
      },
    )
    expect(await text(child.stdout)).toBe('')
    expect((await child.exited).exitCode).not.toBe(0)
  })
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
    confinementOf(['-i', 'file:/a/b.mp4', '-i', 'file:watermark.png', '-f', 'mp4', '/c/d'], ['/e']),
  ).toEqual({
    readable: ['/a/b.mp4'],
    writable: ['/e'],
    network: false,
  })
  expect(confinementOf(['-i', 'srt://10.0.0.1:9000', 'pipe:3'], []).network).toBe(true)
  expect(confinementOf(['-http_proxy', 'http://127.0.0.1:1', '-i', 'pipe:0'], []).network).toBe(false)
})
