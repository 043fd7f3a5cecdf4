import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { changedFiles } from './changed-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = changedFiles(root)
if (files.length > 0) {
  const { status } = spawnSync('oxfmt', ['--no-error-on-unmatched-pattern', ...files], {
    cwd: root,
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
