import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const names = [
  'zoetrope.service',
  'zoetrope@.service',
  'zoetrope-migrate.service',
  'zoetrope-remote-worker.service',
]
const pathOf = (name: string): string =>
  fileURLToPath(new URL(`../../deploy/systemd/${name}`, import.meta.url))
const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8')

/** Offline analysis came with systemd 250. */
const isAnalyzable =
  Number(
    /systemd (\d+)/.exec(spawnSync('systemd-analyze', ['--version'], { encoding: 'utf8' }).stdout)?.[1],
  ) >= 250

const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' })

it.runIf(isAnalyzable).each(names)('systemd accepts each line of %s', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'zoetrope-unit-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const copy = join(folder, name.replace('@', '@worker'))
  writeFileSync(copy, textOf(name).replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'))
  const { status, stderr } = analyze('verify', '--man=no', copy)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

it.runIf(isAnalyzable).each(names)('the exposure of %s that systemd rates is 2.4 of 10 at most', (name) => {
  const { status, stdout } = analyze('security', '--offline=yes', '--threshold=24', pathOf(name))
  expect(status, stdout).toBe(0)
})

it.each(names)('%s allows what the media sandbox needs', (name) => {
  const text = textOf(name)
  expect(text).not.toMatch(/^(RestrictNamespaces|ProtectKernelTunables|MemoryDenyWriteExecute|ProcSubset)=/m)
  expect(text).toMatch(/^RestrictAddressFamilies=.*AF_NETLINK/m)
  expect(text).toMatch(/^SystemCallFilter=.*@mount.*landlock_restrict_self.*seccomp/m)
})
