import { mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool } from '../image/run-tool.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

const git = (...words: string[]): Promise<string> => runTool('git', words, root)

/** The newest tag before this commit. Without tags, this commit: the next release is the first that supports a rolling upgrade. */
export const findPreviousRelease = (): Promise<string> =>
  git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD^').catch(() => 'HEAD')

/** Null when the clone has no such commit, because it is shallow. */
export const findCommit = (name: string): Promise<string | null> =>
  git('rev-parse', '--verify', '--quiet', `${name}^{commit}`).catch(() => null)

interface LockedPackage {
  readonly version?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly resolved?: string
}

const packagesIn = async (folder: string): Promise<Readonly<Record<string, LockedPackage>>> => {
  const lock = JSON.parse(await readFile(join(folder, 'package-lock.json'), 'utf8'))
  return (lock as { packages: Record<string, LockedPackage> }).packages
}

/** Links the packages of this checkout, but those of the workspace to the other one. */
const linkPackages = async (
  folder: string,
  locked: Readonly<Record<string, LockedPackage>>,
): Promise<void> => {
  const own = Object.entries(locked).filter(([, { link }]) => link === true)
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  const scopes = new Set(own.map(([path]) => path.split('/')[1]))
  for (const name of await readdir(join(root, 'node_modules')))
    if (!scopes.has(name)) await symlink(join(root, 'node_modules', name), join(modules, name))
  for (const [path, { resolved = '' }] of own) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await symlink(join(folder, resolved), join(folder, path))
  }
}

/** Unpacks the commit into a new folder, with its npm packages. Returns the program that starts it. */
export const unpackRelease = async (commit: string, folder: string): Promise<string> => {
  await mkdir(folder)
  const archive = `${folder}.tar`
  await git('archive', `--output=${archive}`, commit)
  await runTool('tar', ['-xf', archive, '-C', folder])
  await rm(archive)
  const [locked, ours] = [await packagesIn(folder), await packagesIn(root)]
  const isSame = Object.entries(locked).every(
    ([path, { version, dev, link }]) =>
      !path.startsWith('node_modules/') || dev === true || link === true || ours[path]?.version === version,
  )
  if (isSame) await linkPackages(folder, locked)
  else {
    const quiet = ['--no-save', '--no-audit', '--no-fund']
    await runTool('npm', ['install', ...quiet, '--omit=dev', '--include=optional'], folder)
  }
  // The bundles of this checkout: browsers are not tested here, and building others would take a minute.
  for (const bundle of ['player/dist', 'console/dist'])
    await symlink(join(root, bundle), join(folder, bundle))
  const script = join(folder, 'server/src/app/main.ts')
  const hasScript = await stat(script).then(
    () => true,
    () => false,
  )
  return hasScript ? script : join(folder, 'server/src/main.ts')
}
