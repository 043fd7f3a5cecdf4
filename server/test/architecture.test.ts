import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Groups of modules, from the top. A module imports nothing of a group above its own. */
const groups = [
  'app',
  'notifications',
  'live/node',
  'analytics',
  'playback',
  'live/control',
  'ingest',
  'library',
  'accounts',
  'platform',
]

/** The lowest modules, which all others may use. */
const kernel = [
  'platform/base',
  'platform/log',
  'platform/db',
  'platform/blobs',
  'platform/jobs',
  'platform/mail',
  'platform/outbound',
  'platform/outbox',
  'platform/telemetry',
  'packages/vocabulary',
]
/** For modules with routes. */
const web = ['platform/http', ...kernel]

/** The modules of the server, and what each may import besides itself. */
const serverImports: Record<string, readonly string[]> = {
  'notifications/events': web,
  'notifications/webhooks': [
    ...['library/projects', 'accounts/partners', 'accounts/audit', ...web],
    'packages/webhook-signature',
  ],
  'live/node': ['playback', 'live/control', 'library/files', 'library/projects', ...web, 'packages'],
  analytics: [
    ...['playback', 'library/usage', 'library/files', 'library/projects', 'accounts/audit', ...web],
  ],
  playback: ['live/control', 'library/captions', 'library/playlists', 'library/files', ...web, 'packages'],
  'live/control': ['library/projects', 'accounts/audit', ...web],
  'ingest/uploads': ['ingest/play-while-uploading', 'library/files', 'library/projects', ...web],
  'ingest/encoding': [
    ...['ingest/play-while-uploading', 'ingest/renditions', 'library/captions', 'library/pictures'],
    // The api serves remote workers.
    ...['library/files', 'library/projects', 'platform/http', ...kernel, 'packages'],
  ],
  'ingest/play-while-uploading': [
    ...['ingest/renditions', 'library/files', 'library/projects', ...kernel, 'packages'],
  ],
  'ingest/renditions': ['library/pictures', 'library/files', 'library/projects', ...kernel, 'packages'],
  'library/captions': ['library/files', ...web],
  'library/pictures': ['library/files', 'library/projects', 'accounts/audit', ...web],
  'library/playlists': ['library/files', 'library/projects', ...web],
  'library/usage': ['library/files', ...web],
  'library/files': ['library/catalog', 'library/projects', ...web, 'packages/packager'],
  'library/catalog': ['accounts/audit', ...web],
  'library/projects': ['accounts/audit', ...web],
  'accounts/sso': ['accounts/partners', 'accounts/identity', 'accounts/audit', ...web],
  'accounts/partners': ['accounts/audit', ...web],
  'accounts/identity': ['accounts/audit', ...web],
  'accounts/audit': web,
  'platform/docs': ['platform/http'],
  'platform/backup': kernel,
  'platform/http': kernel,
  'platform/mail': ['platform/jobs', 'platform/db', 'platform/log', 'platform/base'],
  'platform/jobs': ['platform/db', 'platform/log', 'platform/telemetry', 'platform/base'],
  'platform/outbox': ['platform/db', 'platform/telemetry', 'platform/base', 'packages/vocabulary'],
  'platform/blobs': ['platform/telemetry', 'platform/base'],
  'platform/db': ['platform/telemetry', 'platform/base', 'packages/vocabulary'],
  'platform/outbound': ['platform/base', 'packages/vocabulary'],
  'platform/log': [],
  'platform/telemetry': [],
  'platform/base': ['packages/vocabulary'],
}

/** Packages import only the packages below them and nothing of the product. */
const packageImports: Record<string, readonly string[]> = {
  'packages/dash': [],
  'packages/ffmpeg': ['packages/isobmff', 'packages/vocabulary'],
  'packages/hls': [],
  'packages/isobmff': [],
  'packages/ll-hls': ['packages/dash', 'packages/hls', 'packages/isobmff', 'packages/packager'],
  'packages/packager': ['packages/isobmff'],
  'packages/rtmp': [],
  'packages/sdk': ['packages/vocabulary', 'packages/webhook-signature'],
  'packages/vocabulary': [],
  'packages/webhook-signature': [],
}

/** The server serves the player and the console as built files, and clients use its API. */
const programImports: Record<string, readonly string[]> = {
  player: ['packages/isobmff'],
  console: ['packages/sdk', 'packages/vocabulary'],
  // Measures parts of the server in processes of their own.
  bench: [
    'analytics',
    ...['live/node', 'ingest/encoding', 'library/files', 'platform/db', 'platform/blobs', 'platform/log'],
    'packages',
  ],
  cli: ['packages/sdk', 'packages/rtmp', 'packages/vocabulary', 'packages/webhook-signature'],
}

const mayImport: Record<string, readonly string[]> = {
  // The only module that builds objects from several others.
  app: [...Object.keys(serverImports), 'packages'],
  ...serverImports,
  ...packageImports,
  ...programImports,
}

const groupOf = (module: string): number =>
  groups.findIndex((group) => module === group || module.startsWith(`${group}/`))

const moduleOf = (path: string): string => {
  const inServer = /^server\/src\/(.*)$/.exec(path)?.[1]
  if (inServer === undefined) return /^packages\/[a-z-]+/.exec(path)?.[0] ?? path.split('/')[0] ?? path
  const names = inServer.split('/')
  return (
    groups.find((group) => inServer.startsWith(`${group}/`) && group in mayImport) ??
    names.slice(0, 2).join('/')
  )
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

const sources = ['server/src', 'packages', 'cli/src', 'player/src', 'console/src', 'bench/src']

let result: ICruiseResult

beforeAll(async () => {
  const { output } = await cruise(sources, {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(test|promises)\\.ts$|(^|/)test(-support)?/|/dist/' },
    // Type-only imports count, too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import'],
      extensions: ['.ts', '.tsx', '.js'],
    },
  })
  result = output as ICruiseResult
})

const edges = () =>
  result.modules
    .filter(({ source }) => sources.some((folder) => source.startsWith(`${folder}/`)))
    .flatMap(({ source, dependencies }) =>
      dependencies
        .map(({ resolved }) => resolved)
        .filter((target) => sources.some((folder) => target.startsWith(`${folder}/`)))
        .map((target) => ({ source, target, from: moduleOf(source), to: moduleOf(target) })),
    )

const arrows = (found: ReturnType<typeof edges>) => found.map(({ source, target }) => `${source} → ${target}`)

test('dependency-cruiser reads the source files (without a compiler it finds no files and no faults)', () => {
  expect(result.summary.totalCruised).toBeGreaterThan(1000)
  for (const folder of sources) expect(arrows(edges()).some((arrow) => arrow.startsWith(folder))).toBe(true)
})

test('modules import only what the table allows', () => {
  const wrong = edges().filter(({ from, to }) => {
    const allowed = mayImport[from]
    if (allowed === undefined || from === to) return false
    return !allowed.some((module) => to === module || (module === 'packages' && to.startsWith('packages/')))
  })
  expect(arrows(wrong)).toEqual([])
})

test('the table allows no module to import a group above its own', () => {
  const wrong = Object.entries(serverImports).flatMap(([from, allowed]) =>
    allowed
      .filter((to) => !to.startsWith('packages') && groupOf(to) < groupOf(from))
      .map((to) => `${from} → ${to}`),
  )
  expect(wrong).toEqual([])
})

test('no file imports itself in a cycle', () => {
  const cycles = result.modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ circular }) => circular).map(({ resolved }) => `${source} ↔ ${resolved}`),
  )
  expect(cycles).toEqual([])
})

test('no folder of the server imports itself in a cycle', () => {
  const imports = new Map<string, Set<string>>()
  for (const { source, target } of edges()) {
    const [from, to] = [folderOf(source), folderOf(target)]
    if (!from.startsWith('server/src/') || from === to) continue
    imports.set(from, (imports.get(from) ?? new Set()).add(to))
  }
  const isDone = new Set<string>()
  const cycleFrom = (folder: string, path: readonly string[]): string | null => {
    if (path.includes(folder)) return [...path.slice(path.indexOf(folder)), folder].join(' → ')
    if (isDone.has(folder)) return null
    for (const next of imports.get(folder) ?? []) {
      const cycle = cycleFrom(next, [...path, folder])
      if (cycle !== null) return cycle
    }
    isDone.add(folder)
    return null
  }
  expect(
    [...imports.keys()].map((folder) => cycleFrom(folder, [])).filter((cycle) => cycle !== null),
  ).toEqual([])
})

const foldersIn = async (path: string): Promise<string[]> =>
  (await readdir(`${root}${path}`, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${path}/${name}`)

/** Returns the modules by folder. A group that is a module itself contains no other modules. */
const modulesOfFolders = async (): Promise<string[]> => {
  const tops = await foldersIn('server/src')
  const below = await Promise.all(
    tops.map(async (top) => (moduleOf(`${top}/x`) in mayImport ? [top] : foldersIn(top))),
  )
  return [
    ...below.flat().map((folder) => folder.slice('server/src/'.length)),
    ...(await foldersIn('packages')),
    ...Object.keys(programImports),
  ]
}

test('the import table and docs/architecture.md list every module', async () => {
  const modules = (await modulesOfFolders()).sort()
  expect(Object.keys(mayImport).sort()).toEqual(modules)
  const text = await readFile(`${root}docs/architecture.md`, 'utf8')
  const listed = [...text.matchAll(/^\| {1,2}`([a-z/-]+)` /gm)].map(([, name = '']) => name)
  expect(listed.filter((name) => modules.includes(name)).sort()).toEqual(modules)
})

test('a folder holds at most twenty files', async () => {
  const maxFiles = 20
  const entries = await Promise.all(
    [...sources, 'scripts', 'tools'].map((folder) =>
      readdir(`${root}${folder}`, { recursive: true, withFileTypes: true }),
    ),
  )
  const counts = new Map<string, number>()
  for (const { parentPath } of entries.flat().filter((entry) => entry.isFile()))
    counts.set(parentPath.slice(root.length), (counts.get(parentPath.slice(root.length)) ?? 0) + 1)
  const full = [...counts].filter(
    ([folder, count]) => count > maxFiles && !/(^|\/)(node_modules|dist)(\/|$)/.test(folder),
  )
  expect(full).toEqual([])
})
