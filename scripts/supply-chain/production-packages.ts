/** The fields of an entry in package-lock.json (version 3) that the functions below read. */
interface LockEntry {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  /** For links to workspaces: their folder. */
  readonly resolved?: string
  readonly link?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>
}

export interface ThirdPartyPackage {
  readonly name: string
  readonly version: string
  /** Folder in the checkout, such as `node_modules/pg`. */
  readonly path: string
  /** SPDX expression. */
  readonly license: string
  /** Installed only on some platforms. */
  readonly isForPlatform: boolean
}

/** What an installation runs: the packages of the server, the command line, and the two bundles. */
const programs = ['', 'server', 'cli', 'console', 'player']

/** Finds a dependency as Node does: in the folder itself, then in each folder above. */
const resolveFrom = ({ packages }: Lock, path: string, name: string): string | null => {
  for (let folder = path; ; folder = folder.replace(/(?:^|\/)[^/]+$/, '')) {
    const found = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (packages[found] !== undefined) return found
    if (folder === '') return null
  }
}

/** Folders of our workspaces and of all packages that production installs, without those for tests and builds. */
const productionPaths = (lock: Lock): readonly string[] => {
  const seen = new Set<string>()
  const open = [...programs]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entry = lock.packages[path]
    if (entry === undefined || seen.has(path)) continue
    seen.add(path)
    if (entry.link === true) open.push(entry.resolved ?? '')
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      const found = resolveFrom(lock, path, name)
      if (found !== null) open.push(found)
    }
  }
  return [...seen].sort()
}

export const productionPackages = (lock: Lock): readonly ThirdPartyPackage[] =>
  productionPaths(lock)
    .filter((path) => path.includes('node_modules/') && lock.packages[path]?.link !== true)
    .map((path) => {
      const { version = '', license = '', os, cpu } = lock.packages[path] ?? {}
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, version, path, license, isForPlatform: os !== undefined || cpu !== undefined }
    })

/** References of CycloneDX to our workspaces and all packages that production installs. */
export const productionRefs = (lock: Lock): ReadonlySet<string> =>
  new Set([
    ...productionPackages(lock).map(({ name, version }) => `${name}@${version}`),
    ...productionPaths(lock).flatMap((path) => {
      const { name, version } = lock.packages[path] ?? {}
      return path.includes('node_modules/') || name === undefined ? [] : [`${name}@${version}`]
    }),
  ])
