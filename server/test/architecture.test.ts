import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The modules that each module may import from, besides itself. Arrows point downwards only. */
const mayImport: Record<string, readonly string[]> = {
  'server/src/main': ['server/src/config', 'server/src/roles', 'server/src/kernel'],
  'server/src/config': [],
  'server/src/roles': [
    'server/src/config',
    'server/src/http',
    'server/src/backup',
    'server/src/identity',
    'server/src/audit',
    'server/src/projects',
    'server/src/files',
    'server/src/uploads',
    'server/src/encoding',
    'server/src/playout',
    'server/src/broadcast',
    'server/src/live',
    'server/src/playlists',
    'server/src/docs',
    'server/src/pictures',
    'server/src/captions',
    'server/src/catalog',
    'server/src/events',
    'server/src/webhooks',
    'server/src/partners',
    'server/src/sso',
    'server/src/usage',
    'server/src/kernel',
    'packages',
  ],
  'server/src/broadcast': [
    'server/src/live',
    'server/src/playout',
    'server/src/uploads',
    'server/src/files',
    'server/src/projects',
    'server/src/http',
    'server/src/kernel',
    'packages',
  ],
  'server/src/live': ['server/src/audit', 'server/src/projects', 'server/src/http', 'server/src/kernel'],
  'server/src/playout': [
    'server/src/live',
    'server/src/captions',
    'server/src/playlists',
    'server/src/files',
    'server/src/http',
    'server/src/kernel',
    'packages',
  ],
  'server/src/captions': ['server/src/files', 'server/src/http', 'server/src/kernel'],
  'server/src/pictures': [
    'server/src/files',
    'server/src/projects',
    'server/src/audit',
    'server/src/http',
    'server/src/kernel',
  ],
  'server/src/uploads': ['server/src/files', 'server/src/projects', 'server/src/http', 'server/src/kernel'],
  'server/src/encoding': [
    'server/src/captions',
    'server/src/pictures',
    'server/src/files',
    'server/src/projects',
    'server/src/kernel',
    'packages',
  ],
  'server/src/webhooks': [
    'server/src/partners',
    'server/src/audit',
    'server/src/projects',
    'server/src/http',
    'server/src/kernel',
    'packages',
  ],
  'server/src/sso': [
    'server/src/partners',
    'server/src/identity',
    'server/src/audit',
    'server/src/http',
    'server/src/kernel',
  ],
  'server/src/partners': ['server/src/audit', 'server/src/http', 'server/src/kernel'],
  'server/src/usage': ['server/src/files', 'server/src/http', 'server/src/kernel'],
  'server/src/playlists': ['server/src/files', 'server/src/projects', 'server/src/http', 'server/src/kernel'],
  'server/src/docs': ['server/src/http'],
  'server/src/events': ['server/src/http', 'server/src/kernel'],
  'server/src/catalog': ['server/src/audit', 'server/src/http', 'server/src/kernel'],
  'server/src/files': [
    'server/src/catalog',
    'server/src/projects',
    'server/src/http',
    'server/src/kernel',
    'packages/packager',
  ],
  'server/src/projects': ['server/src/identity', 'server/src/audit', 'server/src/http', 'server/src/kernel'],
  'server/src/identity': ['server/src/audit', 'server/src/http', 'server/src/kernel'],
  'server/src/audit': ['server/src/http', 'server/src/kernel'],
  'server/src/http': ['server/src/kernel'],
  'server/src/backup': ['server/src/kernel'],
  'server/src/kernel': ['packages'],
}

/** Packages import only the packages below them and nothing of the product. */
const packageImports: Record<string, readonly string[]> = {
  'packages/live': ['packages/dash', 'packages/hls', 'packages/isobmff', 'packages/packager'],
  'packages/packager': ['packages/isobmff'],
  'packages/sdk': ['packages/webhook-signature'],
}

const roomOf = (path: string): string => {
  const slice = /^server\/src\/[a-z-]+/.exec(path)?.[0]
  if (slice !== undefined) return slice
  return /^packages\/[a-z-]+/.exec(path)?.[0] ?? path.split('/')[0] ?? path
}

let result: ICruiseResult

beforeAll(async () => {
  const { output } = await cruise(['server/src', 'packages', 'cli/src', 'player/src'], {
    baseDir: root,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.(test|promises)\\.ts$|(^|/)test(-support)?/|/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import'],
      extensions: ['.ts', '.js'],
    },
  })
  result = output as ICruiseResult
})

const edges = () =>
  result.modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({
      source,
      target: resolved,
      from: roomOf(source),
      to: roomOf(resolved),
    })),
  )

test('dependency-cruiser reads the source files (without a compiler it finds no files and no faults)', () => {
  expect(result.summary.totalCruised).toBeGreaterThan(150)
})

test('server modules import downwards only', () => {
  const wrong = edges().filter(({ from, to, target }) => {
    const allowed = mayImport[from]
    if (allowed === undefined || from === to || !/^(server|packages|cli|player)\//.test(target)) return false
    return !allowed.some((room) => to === room || (room === 'packages' && to.startsWith('packages/')))
  })
  expect(wrong.map(({ source, target }) => `${source} → ${target}`)).toEqual([])
})

test('the import table lists every module of the server', () => {
  const rooms = new Set(
    result.modules.map(({ source }) => roomOf(source)).filter((room) => room.startsWith('server/src')),
  )
  expect([...rooms].filter((room) => mayImport[room] === undefined)).toEqual([])
})

test('packages import nothing of the product and only the packages that they declare', () => {
  const wrong = edges().filter(({ from, to, target }) => {
    if (!from.startsWith('packages/') || from === to) return false
    if (!/^(server|packages|cli|player|bench)\//.test(target)) return false
    return !(packageImports[from] ?? []).includes(to)
  })
  expect(wrong.map(({ source, target }) => `${source} → ${target}`)).toEqual([])
})

test('the command line reaches the server only through its API', () => {
  const wrong = edges().filter(({ from, to }) => from === 'cli' && to.startsWith('server/'))
  expect(wrong).toEqual([])
})

test('no module imports itself in a cycle', () => {
  const circles = result.modules.flatMap(({ source, dependencies }) =>
    dependencies.filter(({ circular }) => circular).map(({ resolved }) => `${source} ↔ ${resolved}`),
  )
  expect(circles).toEqual([])
})
