import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findFreePort } from './free-port.ts'
import { guideBlocksOf } from './guide-blocks.ts'
import { waitFor } from './wait-for.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface GuideLanguage {
  readonly name: 'js' | 'python' | 'php' | 'go'
  readonly program: string
  readonly fileName: string
  /** Command that starts the program in this folder. */
  readonly command: (folder: string, port: number) => readonly [program: string, ...words: string[]]
  readonly build?: (folder: string) => Promise<unknown>
}

export const guideLanguages: readonly GuideLanguage[] = [
  {
    name: 'js',
    program: 'node',
    fileName: 'receiver.mjs',
    command: (folder) => [process.execPath, join(folder, 'receiver.mjs')],
  },
  {
    name: 'python',
    program: 'python3',
    fileName: 'receiver.py',
    command: (folder) => ['python3', join(folder, 'receiver.py')],
  },
  {
    name: 'php',
    program: 'php',
    fileName: 'receiver.php',
    command: (folder, port) => ['php', '-S', `127.0.0.1:${port}`, join(folder, 'receiver.php')],
  },
  {
    name: 'go',
    program: 'go',
    fileName: 'receiver.go',
    command: (folder) => [join(folder, 'receiver')],
    build: (folder) => run('go', ['build', '-o', 'receiver', 'receiver.go'], { cwd: folder }),
  },
]

export const guideBlocks = async ({ name }: GuideLanguage): Promise<string[]> => {
  const blocks = await guideBlocksOf('docs/verify-webhooks.md')
  return blocks.filter(({ language }) => language === name).map(({ code }) => code)
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })

export const startGuideReceiver = async (
  language: GuideLanguage,
  code: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly port: number; readonly output: () => string; readonly stop: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-guide-'))
  await writeFile(join(folder, language.fileName), code)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await language.build?.(folder)
  const port = await findFreePort()
  const [program, ...words] = language.command(folder, port)
  const child = spawn(program, words, {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (output += String(part)))
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`The receiver ended: ${output}`)
      return answers(port)
    },
    (isThere) => isThere,
  )
  return {
    port,
    output: () => output,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
