import { lstatSync, readlinkSync } from 'node:fs'
import type { Confinement } from './confinement.ts'

/** Shared libraries and what the loader reads. Programs other than the one to run are not visible. */
const libraryFolders = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/lib', '/lib64', '/nix/store']
export const systemPaths = [
  ...libraryFolders,
  '/etc/ld.so.cache',
  '/etc/alternatives',
  // Without these, x265 silently runs without threads.
  '/sys/devices/system/cpu',
  '/sys/devices/system/node',
]

const linkTargetOf = (path: string): string | null => {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null
  } catch {
    return null
  }
}

/** `/lib` is a link to `usr/lib` on most distributions. */
const bindSystemPath = (path: string): string[] => {
  const target = linkTargetOf(path)
  return target === null ? ['--ro-bind-try', path, path] : ['--symlink', target, path]
}

/** Bytes of the folder for temporary files, which lies in memory. */
const temporaryBytes = 16 * 1024 * 1024

/**
 * Returns the bubblewrap command line before the program: namespaces of its own, no capabilities, an empty root with the given paths, and
 * neither `/proc` nor a home. It reads the seccomp filter from descriptor `filterDescriptor`.
 */
export const bubblewrapWords = (
  { readable, writable, network }: Confinement,
  options: { readonly workFolder: string | null; readonly filterDescriptor: number },
): string[] => [
  'bwrap',
  ...['--unshare-user', '--unshare-all', ...(network ? ['--share-net'] : []), '--disable-userns'],
  // Without `--new-session`: the process has a session of its own already, whose priority `startGuarded` sets.
  ...['--die-with-parent', '--cap-drop', 'ALL'],
  ...systemPaths.flatMap(bindSystemPath),
  ...['--dev', '/dev'],
  ...['--size', String(temporaryBytes), '--tmpfs', '/tmp'],
  ...readable.flatMap((path) => ['--ro-bind', path, path]),
  ...writable.flatMap((path) => ['--bind', path, path]),
  ...['--remount-ro', '/dev', '--remount-ro', '/'],
  ...['--chdir', options.workFolder ?? '/tmp'],
  ...['--seccomp', String(options.filterDescriptor)],
  '--',
]
