import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { compileCache } from './compile-cache.ts'
import type { Ended, Environment } from './operator.ts'
import { mainScript } from './main-script.ts'

export const runProgram = async (env: Environment, ...words: readonly string[]): Promise<Ended> => {
  const child = spawn(process.execPath, [mainScript, ...words], {
    env: { PATH: process.env['PATH'] ?? '', NODE_COMPILE_CACHE: compileCache, ...env },
  })
  const [stdout, stderr, [code]] = await Promise.all([
    child.stdout.toArray(),
    child.stderr.toArray(),
    once(child, 'close') as Promise<[number]>,
  ])
  return { code, stdout: stdout.join(''), stderr: stderr.join('') }
}
