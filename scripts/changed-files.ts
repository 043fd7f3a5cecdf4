import { execFileSync } from 'node:child_process'

const git = (root: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Returns the commit where this branch left `main`, or the current commit in a checkout without `main`. */
const baseOf = (root: string): string => {
  try {
    return git(root, 'merge-base', 'HEAD', 'main').trim()
  } catch {
    return 'HEAD'
  }
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')

/** Returns the files that differ from `main`, committed or not, and the new ones, without deleted ones. */
export const changedFiles = (root: string): string[] => [
  ...lines(git(root, 'diff', '--name-only', '--diff-filter=d', baseOf(root))),
  ...lines(git(root, 'ls-files', '--others', '--exclude-standard')),
]
