import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { runCommandLine } from './command-line.ts'

const { argv } = process

afterEach(() => {
  process.argv = argv
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

test('a data folder that cannot be created is reported in one line, without a stack', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-command-line-'))
  const file = join(folder, 'file')
  await writeFile(file, '')
  vi.stubEnv('ZOETROPE_DATA', join(file, 'data'))
  process.argv = [...argv.slice(0, 2), 'up']
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await runCommandLine()
  expect(exit).toHaveBeenCalledWith(1)
  const data = join(file, 'data')
  expect(write).toHaveBeenLastCalledWith(
    `Cannot create the data folder ${data} (ENOTDIR: not a directory, mkdir '${data}'). Check that its disk is mounted and writable, or set ZOETROPE_DATA to another folder.\n`,
  )
  await rm(folder, { recursive: true })
})

test.runIf(process.platform === 'linux')(
  'a data folder below /proc is refused and does not hang',
  async () => {
    vi.stubEnv('ZOETROPE_DATA', '/proc/zoetrope/data')
    process.argv = [...argv.slice(0, 2), 'up']
    vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    await runCommandLine()
    expect(write).toHaveBeenLastCalledWith(
      expect.stringMatching(
        /^Cannot create the data folder \/proc\/zoetrope\/data \(.+\). Check that its disk/,
      ),
    )
  },
)

test('a log file in a missing folder is reported with its setting', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-command-line-'))
  const logFile = join(folder, 'missing', 'log')
  vi.stubEnv('ZOETROPE_DATA', join(folder, 'data'))
  vi.stubEnv('ZOETROPE_LOG_FILE', logFile)
  process.argv = [...argv.slice(0, 2), 'up']
  vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await runCommandLine()
  expect(write).toHaveBeenLastCalledWith(
    `Cannot write the log file ${logFile} (ENOENT: no such file or directory, open '${logFile}'). Create its folder, or set ZOETROPE_LOG_FILE to another file.\n`,
  )
  await rm(folder, { recursive: true })
})
