import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const launcher = fileURLToPath(new URL('../zoetrope', import.meta.url))

/**
 * The programs that the launcher may call. Each test provides node, npm, ffmpeg and package managers itself.
 */
const systemTools =
  'awk cat chmod cksum dirname env find grep head mkdir mktemp printf readlink rm sed sh sleep sort tail true uname'.split(
    ' ',
  )

/**
 * Paths of these tools, looked up once: a shell for each tool before each test takes as long as the tests.
 * Builtins have no path.
 */
const systemToolPaths = execFileSync(
  '/bin/sh',
  ['-c', 'for tool; do command -v "$tool"; done', 'sh', ...systemTools],
  { encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => path.startsWith('/'))

let base: string
let root: string
let bin: string

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'zoetrope-test-'))
  root = join(base, 'my checkout')
  bin = join(base, 'bin')
  for (const folder of [
    'server/src/app',
    'cli/src',
    'scripts',
    'player',
    'console',
    'packages/hls',
    'packages/sdk/src',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  copyFileSync(launcher, join(root, 'zoetrope'))
  for (const file of [
    'package.json',
    'package-lock.json',
    'player/package.json',
    'packages/hls/package.json',
  ])
    writeFileSync(join(root, file), '{}')
  const printCall = `console.log(JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(),
    pid: process.pid, data: process.env.ZOETROPE_DATA ?? null,
    calledAs: process.env.ZOETROPE_CALLED_AS, heaps: process.env.MALLOC_ARENA_MAX ?? null,
    nodeOptions: process.execArgv }))`
  writeFileSync(join(root, 'server/src/app/main.ts'), printCall)
  writeFileSync(join(root, 'server/build.ts'), '')
  writeFileSync(join(root, 'scripts/test.ts'), printCall)
  writeFileSync(join(root, 'cli/src/main.ts'), `${printCall}; process.exitCode = 7`)

  mkdirSync(bin)
  for (const path of systemToolPaths) symlinkSync(path, join(bin, basename(path)))
  stub('node', `[ "$1" = -p ] && echo 20.19.2`)
  stub('npm', `echo "$*" >>'${base}/npm-calls'\n${installsAndBuilds}`)
  stub('ffmpeg', 'echo "ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers"')
  stub('ffprobe', '')
  stub('bwrap', '')
  stub('id', 'echo 0')
})

afterEach(() => rmSync(base, { recursive: true }))

const stub = (name: string, script: string): void => {
  // It may be a link to a program of the system.
  rmSync(join(bin, name), { force: true })
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** Imitates npm, which installs node_modules with a Node.js of its own. */
const installsNode = `mkdir -p node_modules/.bin
printf '#!/bin/sh\\nexec "${process.execPath}" "$@"\\n' >node_modules/.bin/node
chmod +x node_modules/.bin/node`

/** Imitates the build. The output of the bundle differs from that of the sources. */
const buildsServer = `case "$*" in run*server)
  mkdir -p server/dist && sed 's/JSON.stringify({/&isBundle: true,/' server/src/app/main.ts >server/dist/main.js ;;
esac`

const installsAndBuilds = `${installsNode}\n${buildsServer}`

const options = () => ({ cwd: base, env: { PATH: bin, HOME: base } })

const run = (...args: string[]) =>
  spawnSync(join(root, 'zoetrope'), args, { ...options(), encoding: 'utf8', input: '' })

const npmCalls = (): string[] =>
  existsSync(join(base, 'npm-calls')) ? readFileSync(join(base, 'npm-calls'), 'utf8').trim().split('\n') : []

const installCalls = (): string[] => npmCalls().filter((call) => call.startsWith('install'))

it('is valid in every available POSIX shell', () => {
  for (const shell of ['dash', 'bash', 'sh']) {
    const check = spawnSync(shell, ['-n', launcher], { encoding: 'utf8' })
    if (!check.error) expect(check.stderr).toBe('')
  }
})

describe('commands', () => {
  it.each([[['help']], [['--help']], [['-h']], [[]]])('%j prints the help and installs nothing', (args) => {
    const { status, stdout } = run(...args)
    expect(status).toBe(0)
    expect(stdout).toMatch(/Usage: .*zoetrope' <command>\n\n {2}up .*\n {2}serve .*\n {2}test /)
    expect(npmCalls()).toEqual([])
  })

  it('passes arguments and exit code through to the command line client, in the folder of the caller', () => {
    const { status, stdout } = run('file', 'upload', 'my film.mp4', `it's "5 $HOME`)
    expect(status).toBe(7)
    expect(JSON.parse(stdout)).toMatchObject({
      args: ['file', 'upload', 'my film.mp4', `it's "5 $HOME`],
      cwd: base,
      data: join(root, 'data'),
    })
  })

  it.each([
    [['up'], []],
    [['serve', '--role', 'api'], ['--max-semi-space-size=32']],
    [['serve', '--role', 'live'], []],
  ])(
    '%j becomes the server process on the packaged Node.js, so that it receives signals',
    async (words, nodeOptions) => {
      run('install')
      const child = spawn(join(root, 'zoetrope'), words, {
        ...options(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
      // The Node.js of the system, 20.19, cannot run TypeScript.
      expect(JSON.parse(line)).toMatchObject({
        args: words,
        pid: child.pid,
        data: join(root, 'data'),
        heaps: '1',
        nodeOptions,
      })
    },
  )

  it.each(['database', 'migrate'])(
    '%s is a command of the server, and not of the command line client',
    (word) => {
      const { status, stdout } = run(word)
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ args: [word] })
    },
  )

  it('finds the checkout through symbolic links from any folder', () => {
    mkdirSync(join(base, 'links'))
    symlinkSync('../my checkout/zoetrope', join(base, 'links/one'))
    symlinkSync('one', join(base, 'links/two'))
    const { stdout } = spawnSync(join('links', 'two'), ['up'], { ...options(), encoding: 'utf8' })
    expect(JSON.parse(stdout)).toMatchObject({ args: ['up'], data: join(root, 'data') })
  })

  it('passes the name that it was called by, quoted for the shell, to the command line', () => {
    symlinkSync(join(root, 'zoetrope'), join(bin, 'zoetrope'))
    symlinkSync(root, join(base, "it's"))
    const calledAs = (program: string, args: string[], cwd = base): unknown => {
      const { stdout } = spawnSync(program, args, { ...options(), cwd, encoding: 'utf8' })
      return (JSON.parse(stdout) as { calledAs: string }).calledAs
    }
    run('install')
    expect(calledAs('zoetrope', ['projects'])).toBe('zoetrope')
    expect(calledAs('./zoetrope', ['projects'], root)).toBe('./zoetrope')
    expect(calledAs("./it's/zoetrope", ['projects'])).toBe(`'./it'\\''s/zoetrope'`)
    rmSync(join(bin, 'zoetrope'))
    expect(calledAs('/bin/sh', ['zoetrope', 'projects'], root)).toBe('./zoetrope')
  })

  it('installs and builds nothing in an image, which has no npm', () => {
    mkdirSync(join(root, 'node_modules/.bin'), { recursive: true })
    symlinkSync(process.execPath, join(root, 'node_modules/.bin/node'))
    writeFileSync(join(root, '.zoetrope-image'), '')
    mkdirSync(join(root, 'server/dist'))
    copyFileSync(join(root, 'server/src/app/main.ts'), join(root, 'server/dist/main.js'))
    for (const name of ['npm', 'node', 'ffmpeg', 'bwrap']) rmSync(join(bin, name))
    for (const words of [['serve', '--role', 'api'], ['migrate']]) {
      const { stdout, stderr } = run(...words)
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toMatchObject({ args: words })
    }
    expect(run('test')).toMatchObject({ status: 1, stderr: expect.stringContaining('not in an image') })
  })

  it('test runs the tests in the checkout with an unchanged environment', () => {
    stub('chromium', '')
    const { stdout } = run('test', '--only', 'types')
    expect(JSON.parse(stdout)).toMatchObject({ args: ['--only', 'types'], cwd: root, data: null })
  })

  it('test prints the closing line and fails when the installation fails', () => {
    stub('npm', 'exit 1')
    const { status, stdout } = run('test')
    expect(status).toBe(1)
    expect(stdout).toBe('0 passed, 1 failed\n')
  })
})

describe('Node.js and npm', () => {
  it.each([
    ['is missing', () => rmSync(join(bin, 'node')), /Node\.js is missing/],
    ['is too old', () => stub('node', 'echo 18.20.4'), /Node\.js 18\.20\.4 is too old.*20\.19\.0/],
    ['is a little too old', () => stub('node', 'echo 20.18.3'), /Node\.js 20\.18\.3 is too old/],
    ['has no npm', () => rmSync(join(bin, 'npm')), /npm is missing/],
  ])('when node %s, prints one message with the remedy and exits with 1', (_, breakIt, message) => {
    breakIt()
    const { status, stdout, stderr } = run('up')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/\n {2}(Install|Run) /)
  })

  it('without a packaged Node.js, a recent enough Node.js of the system runs the server', () => {
    stub('npm', `mkdir -p node_modules/.bin\n${buildsServer}`)
    expect(run('up').stderr).toMatch(/no Node\.js package for this platform/)
    stub('node', `[ "$1" = -p ] && echo 24.1.0 || exec '${process.execPath}' "$@"`)
    const { stdout } = run('up')
    expect(JSON.parse(stdout)).toMatchObject({ args: ['up'] })
  })
})

describe('packages', () => {
  it('are installed once and again after a change of the lock file, and an unchanged start prints nothing', () => {
    expect(run('up').stderr).toMatch(
      /installing npm packages \(.*\n.*building player and console \(.*\n.*building the server/,
    )
    expect(run('up').stderr).toBe('')
    expect(installCalls()).toHaveLength(1)
    appendFileSync(join(root, 'package-lock.json'), ' ')
    run('up')
    expect(installCalls()).toHaveLength(2)
  })

  it('for development are removed by install --production, and return for a build or the tests', () => {
    const modes = () => installCalls().map((call) => call.split(' ').at(-1))
    run('install', '--production')
    expect(modes()).toEqual(['--include=dev', '--omit=dev'])
    expect(run('install', '--production').stderr).not.toContain('npm packages')
    expect(run('up').stderr).toBe('')
    expect(run('doctor').stderr).toBe('')
    expect(modes()).toHaveLength(2)
    run('test')
    expect(modes().slice(2)).toEqual(['--include=dev'])
    run('install', '--production')
    writeFileSync(join(root, 'player/player.ts'), '')
    run('up')
    expect(modes().slice(3)).toEqual(['--omit=dev', '--include=dev'])
  })

  it('for development are not installed when player and console are built already', () => {
    run('up')
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(run('up').status).toBe(0)
    expect(installCalls().at(-1)).toContain('--omit=dev')
  })

  it.runIf(process.geteuid?.() === 0)(
    'are used as they are in a folder that the user cannot write to',
    () => {
      run('install')
      execFileSync('chmod', ['-R', 'a+rX,go-w', base])
      const nobody = 65_534
      const upAsNobody = () =>
        spawnSync(join(root, 'zoetrope'), ['up'], {
          ...options(),
          encoding: 'utf8',
          uid: nobody,
          gid: nobody,
        })
      const { status, stderr } = upAsNobody()
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      appendFileSync(join(root, 'package-lock.json'), ' ')
      const stale = upAsNobody()
      expect(stale.status).toBe(1)
      expect(stale.stderr).toMatch(/Cannot write to .*\n.*Run this once as the owner of the folder/)
    },
  )

  it('a failed npm prints its error, and the next start retries', () => {
    stub('npm', 'echo "npm error code ENOTFOUND" >&2; exit 1')
    const { status, stderr } = run('up')
    expect(status).toBe(1)
    expect(stderr).toMatch(/npm error code ENOTFOUND[^]*npm failed[^]*cd '.*my checkout' && npm install/)
    stub('npm', installsAndBuilds)
    expect(run('up').status).toBe(0)
  })

  it('two concurrent starts install once', async () => {
    const fifo = join(base, 'fifo')
    execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'fifo', fifo])
    stub('npm', `echo "$*" >>'${base}/npm-calls'; [ "$1" = run ] || cat '${fifo}'\n${installsAndBuilds}`)
    const first = spawnUp()
    await saidBy(first, /installing/)
    const second = spawnUp()
    await saidBy(second, /waiting for another installation/)
    openFifo(fifo)
    expect(await Promise.all([once(first, 'exit'), once(second, 'exit')])).toEqual([
      [0, null],
      [0, null],
    ])
    expect(installCalls()).toHaveLength(1)
  })

  it('a start that is stopped during the installation stops npm and leaves no lock', async () => {
    const fifo = join(base, 'fifo')
    execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'fifo', fifo])
    stub('npm', `echo $$ >'${fifo}'; exec cat '${fifo}'`)
    const started = spawnUp()
    const npm = Number(await readFile(fifo, 'utf8'))
    started.kill('SIGTERM')
    expect(await once(started, 'exit')).toEqual([143, null])
    expect(() => process.kill(npm, 0)).toThrow('ESRCH')
    expect(existsSync(join(root, '.zoetrope-tools/install.lock'))).toBe(false)
  })

  it('takes over the lock of a killed start', () => {
    const dead = spawnSync('true').pid
    mkdirSync(join(root, '.zoetrope-tools/install.lock'), { recursive: true })
    writeFileSync(join(root, '.zoetrope-tools/install.lock/pid'), `${dead}\n`)
    expect(run('up').status).toBe(0)
    expect(existsSync(join(root, '.zoetrope-tools/install.lock'))).toBe(false)
  })

  it('the player is rebuilt after a change of its sources', () => {
    const builds = () => npmCalls().filter((call) => call.startsWith('run build --workspace player')).length
    run('up')
    run('up')
    expect(builds()).toBe(1)
    writeFileSync(join(root, 'player/player.ts'), '')
    run('up')
    expect(builds()).toBe(2)
  })

  it('the server is rebuilt after a change of its sources, and other commands run the sources until then', () => {
    const isBundle = (command: string): boolean =>
      (JSON.parse(run(command).stdout) as { isBundle?: true }).isBundle === true
    expect(isBundle('doctor')).toBe(false)
    expect(isBundle('up')).toBe(true)
    expect(isBundle('doctor')).toBe(true)
    writeFileSync(join(root, 'packages/hls/playlist.ts'), '')
    expect(isBundle('doctor')).toBe(false)
    expect(isBundle('up')).toBe(true)
    writeFileSync(join(root, 'packages/hls/playlist.test.ts'), '')
    expect(isBundle('doctor')).toBe(true)
    expect(npmCalls().filter((call) => call === 'run build --workspace server')).toHaveLength(2)
  })
})

describe('bubblewrap', () => {
  it('is installed by apt-get when it is missing', () => {
    rmSync(join(bin, 'bwrap'))
    stub(
      'apt-get',
      `echo "$*" >>'${base}/apt-calls'; printf '#!/bin/sh\\n' >'${bin}/bwrap'; chmod +x '${bin}/bwrap'`,
    )
    expect(run('up').status).toBe(0)
    run('up')
    expect(readFileSync(join(base, 'apt-calls'), 'utf8')).toBe(
      'install -y --no-install-recommends bubblewrap\n',
    )
  })

  it('is not required, and a failed installation is not repeated', () => {
    rmSync(join(bin, 'bwrap'))
    const { status, stderr } = run('up')
    expect(status).toBe(0)
    expect(stderr).toContain('ffmpeg is confined less strictly without bubblewrap')
    expect(run('up').stderr).toBe('')
  })
})

describe('ffmpeg', () => {
  const removeFfmpeg = (): void => {
    for (const name of ['ffmpeg', 'ffprobe']) rmSync(join(bin, name))
  }
  const provides = (): string => `printf '#!/bin/sh\\necho ffmpeg version n6.1\\n' >'${bin}/ffmpeg'
printf '#!/bin/sh\\n' >'${bin}/ffprobe'
chmod +x '${bin}/ffmpeg' '${bin}/ffprobe'`

  it('without ffmpeg and a package manager, the error names a command that helps', () => {
    removeFfmpeg()
    const { status, stderr } = run('up')
    expect(status).toBe(1)
    expect(stderr).toMatch(/no known package manager/)
    expect(stderr).toMatch(/ffmpeg and ffprobe 5\.1 or newer\. Found: none\.\n.*apt-get install ffmpeg/)
  })

  it('an old ffmpeg that no known package manager can replace is reported', () => {
    stub('ffmpeg', 'echo "ffmpeg version 4.3.6-0+deb11u1 Copyright"')
    stub('apt-get', 'true')
    const { status, stderr } = run('up')
    expect(status).toBe(1)
    expect(stderr).toMatch(/5\.1 or newer\. Found: ffmpeg version 4\.3\.6/)
  })

  it('an old build without a version number is recognized by its library', () => {
    stub('ffmpeg', "printf 'ffmpeg version N-47683-g0e8eb07980\\nlibavutil      56. 24.101 / 56. 24.101\\n'")
    stub('apt-get', 'true')
    const { status, stderr } = run('up')
    expect(status).toBe(1)
    expect(stderr).toMatch(/5\.1 or newer\. Found: ffmpeg version N-47683/)
    stub('ffmpeg', "printf 'ffmpeg version N-47683-g0e8eb07980\\nlibavutil      57. 28.100 / 57. 28.100\\n'")
    expect(run('up').status).toBe(0)
  })

  it.each(['N-109468-gd39b34123d', 'git-2026-01-01-abcdef', 'n7.1', '10.0', '5.1'])(
    'accepts version %s',
    (version) => {
      stub('ffmpeg', `echo "ffmpeg version ${version} Copyright"`)
      expect(run('up').status).toBe(0)
    },
  )

  it('is installed by apt-get, which is updated first only when necessary', () => {
    removeFfmpeg()
    const calls = join(base, 'apt-calls')
    stub(
      'apt-get',
      `echo "$DEBIAN_FRONTEND $*" >>'${calls}'
       case $1 in update) : >'${base}/updated'; exit 0 ;; esac
       [ -e '${base}/updated' ] || exit 100
       ${provides()}`,
    )
    const { status, stderr } = run('up')
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/installing ffmpeg/),
    })
    expect(readFileSync(calls, 'utf8').split('\n')).toEqual([
      'noninteractive install -y --no-install-recommends ffmpeg',
      'noninteractive update',
      'noninteractive install -y --no-install-recommends ffmpeg',
      '',
    ])
  })

  it.each(['/var/lib/dpkg/lock-frontend', '/var/lib/apt/lists/lock'])(
    'waits while another program holds %s',
    (lock) => {
      removeFfmpeg()
      stub('sleep', `echo "$1" >>'${base}/sleeps'`)
      stub(
        'apt-get',
        `if [ "$1" = install ] && [ ! -e '${base}/updated' ] && ${lock.includes('lists')}; then exit 100; fi
         if [ "$(cat '${base}/sleeps')" != "$(printf '5\\n5')" ]; then
           echo 'E: Could not get lock ${lock}. It is held by process 7 (unattended-upgr)' >&2
           exit 100
         fi
         if [ "$1" = update ]; then : >'${base}/updated'; exit 0; fi
         ${provides()}`,
      )
      writeFileSync(join(base, 'sleeps'), '')
      const { status, stderr } = run('up')
      expect(status).toBe(0)
      expect(stderr.match(/waiting for it, for up to ten minutes/g)).toHaveLength(1)
      expect(readFileSync(join(base, 'sleeps'), 'utf8')).toBe('5\n5\n')
    },
  )

  it('ends with the message of apt when another program holds its lock too long', () => {
    removeFfmpeg()
    stub('sleep', ':')
    stub('apt-get', `echo 'E: Could not get lock /var/lib/dpkg/lock-frontend.' >&2; exit 100`)
    const { status, stderr } = run('up')
    expect(status).toBe(1)
    expect(stderr).toMatch(/Could not get lock[^]*installing ffmpeg failed/)
  })

  it('a non-root user installs it by sudo, which does not prompt without a terminal', () => {
    removeFfmpeg()
    stub('id', 'echo 1000')
    stub('apt-get', provides())
    stub('sudo', `[ "$1" = -n ] && shift && exec "$@"`)
    expect(run('up').status).toBe(0)
  })

  it('a non-root user without sudo sees the command for root', () => {
    removeFfmpeg()
    stub('id', 'echo 1000')
    stub('apt-get', 'exit 1')
    const { status, stderr } = run('up')
    expect(status).toBe(1)
    expect(stderr).toMatch(/this requires root, and sudo is missing[^]*as root: apt-get install ffmpeg/)
  })
})

const spawnUp = (): ChildProcess =>
  spawn(join(root, 'zoetrope'), ['up'], { ...options(), stdio: ['ignore', 'ignore', 'pipe'] })

const saidBy = async (child: ChildProcess, words: RegExp): Promise<void> => {
  for await (const line of createInterface(child.stderr!)) if (words.test(line)) return
  throw new Error(`The launcher ended without saying ${words.source}.`)
}

/** Opening and closing the writing end unblocks the reader of the named pipe. */
const openFifo = (path: string): void => {
  execFileSync('/bin/sh', ['-c', ': >"$1"', 'fifo', path])
}
