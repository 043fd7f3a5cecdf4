import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runFfmpeg, sandboxLevel, setSandboxLevel } from '@zoetrope/ffmpeg'
import { register } from 'prom-client'
import { afterAll, afterEach, expect, test } from 'vitest'
import { StartupError } from '../../platform/base/startup-error.ts'
import { createLog } from '../../platform/log/log.ts'
import { waitFor } from '../../../test/support/wait-for.ts'
import { judgeSandbox } from '../commands/doctor/check-programs.ts'
import { prepareSandbox } from './prepare-sandbox.ts'

const log = createLog({ level: 'silent' })
const levelOfMachine = sandboxLevel()
const dataFolder = mkdtempSync(join(tmpdir(), 'zoetrope-orphans-'))

afterEach(() => setSandboxLevel(levelOfMachine))
afterAll(() => rmSync(dataFolder, { recursive: true }))

/** Starts a process with this environment whose parent has ended when it resolves. */
const startOrphan = async (owner: string): Promise<number> => {
  const env = { PATH: process.env['PATH'], ZOETROPE_MEDIA_OF: owner }
  const { stdout } = await promisify(execFile)('sh', ['-c', 'sleep 60 >/dev/null 2>&1 & echo $!'], { env })
  return Number(stdout)
}

const isRunning = (id: number): boolean => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${id}/stat`, 'latin1'))
  } catch {
    return false
  }
}

test.runIf(process.platform === 'linux')(
  'ends media processes of an earlier run, but not those of a running process or another data folder',
  async () => {
    const { dev, ino } = statSync(dataFolder)
    prepareSandbox({ sandbox: 'auto', dataFolder }, log)
    const orphan = await startOrphan(`${dev}:${ino}:1`)
    const foreign = await startOrphan(`${dev}:${ino + 1}:1`)
    const stopped = new AbortController()
    const started = Promise.withResolvers<void>()
    const run = runFfmpeg(['-re', '-f', 'lavfi', '-i', 'color=size=16x16', '-f', 'null', '-'], {
      outputPipes: 0,
      signal: stopped.signal,
      onProgress: () => started.resolve(),
    })
    await Promise.race([started.promise, run.done])
    prepareSandbox({ sandbox: 'auto', dataFolder }, log)
    await waitFor(
      async () => isRunning(orphan),
      (runs) => !runs,
    )
    expect(isRunning(foreign)).toBe(true)
    process.kill(foreign, 'SIGKILL')
    stopped.abort()
    await expect(run.done).rejects.toMatchObject({ code: 'aborted' })
  },
)

test.each(['landlock', 'limits'] as const)('a required sandbox refuses to start at level %s', (level) => {
  setSandboxLevel(level)
  expect(() => prepareSandbox({ sandbox: 'required', dataFolder }, log)).toThrow(StartupError)
  expect(() => prepareSandbox({ sandbox: 'required', dataFolder }, log)).toThrow(/Install bubblewrap/)
})

test('a required sandbox starts in namespaces', () => {
  setSandboxLevel('namespaces')
  prepareSandbox({ sandbox: 'required', dataFolder }, log)
  expect(sandboxLevel()).toBe('namespaces')
})

test('a sandbox that is off leaves the limits, and the metric shows it', async () => {
  prepareSandbox({ sandbox: 'off', dataFolder }, log)
  expect(sandboxLevel()).toBe('limits')
  const text = await register.getSingleMetricAsString('zoetrope_media_sandbox')
  expect(text).toContain('zoetrope_media_sandbox{level="limits"} 1')
  expect(text).toContain('zoetrope_media_sandbox{level="namespaces"} 0')
})

test('doctor accepts only namespaces without a warning', () => {
  expect(judgeSandbox('namespaces').Status).toBe('ok')
  expect(judgeSandbox('landlock').Status).toBe('warning')
  expect(judgeSandbox('limits').Status).toBe('warning')
})
