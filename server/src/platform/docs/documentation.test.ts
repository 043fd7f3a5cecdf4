import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from '../../app/config/config.ts'
import { statusOf } from '../base/problem.ts'
import { readDocumentation } from './read-documentation.ts'
import { searchPages } from './search-pages.ts'

const docs = new URL('../../../../docs/', import.meta.url)
const documentation = await readDocumentation('https://video.example.com')
const pages = [...documentation.pages.values()]
const found = (query: string): string[] =>
  searchPages(pages, query).map(({ page, section }) => `${page.slug}#${section.anchor}`)

test('docs/README.md, and so the sidebar, lists every page of docs/', async () => {
  const listed = documentation.topics.flatMap(({ pages: inTopic }) => inTopic.map(({ slug }) => slug))
  const there = (await readdir(docs)).filter((name) => name.endsWith('.md') && name !== 'README.md')
  const missing = there.map((name) => name.replace(/\.md$/, '')).filter((slug) => !listed.includes(slug))
  expect(missing).toEqual([])
  expect(new Set(listed).size).toBe(listed.length)
})

test('every decision record is reachable', async () => {
  for (const name of await readdir(new URL('decisions/', docs)))
    expect([...documentation.pages.values()].map(({ path }) => path)).toContain(`docs/decisions/${name}`)
})

test('every link leads to an existing page, and every # to a heading of it', () => {
  const wrong: string[] = []
  for (const { path, html } of pages)
    for (const [, href = ''] of html.matchAll(/href="([^"]+)"/g)) {
      if (!href.startsWith('/docs') && !href.startsWith('#')) continue
      const [address = '', anchor] = href.split('#')
      const target =
        address === ''
          ? pages.find((page) => page.path === path)
          : documentation.pages.get(address.replace(/^\/docs\/?/, ''))
      const isThere =
        target !== undefined && (anchor === undefined || target.sections.some((one) => one.anchor === anchor))
      if (!isThere) wrong.push(`${path}: ${href}`)
    }
  expect(wrong).toEqual([])
})

test('no page links to a file of the repository that is not a page', async () => {
  const wrong: string[] = []
  for (const { path } of pages) {
    const text = await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')
    for (const [, href = ''] of text.matchAll(/\]\(((?!https?:|#)[^)\s]+)\)/g)) {
      const target = new URL(href, `http://repository/${path}`).pathname.slice(1)
      const isKnown =
        pages.some((page) => page.path === target) || ['README.md', 'server/openapi.json'].includes(target)
      if (!isKnown) wrong.push(`${path}: ${href}`)
    }
  }
  expect(wrong).toEqual([])
})

test('pages show the URL of this installation instead of the example URL', () => {
  const html = documentation.pages.get('quickstart')?.html ?? ''
  expect(html).toContain('https://video.example.com/v3')
  expect(html).not.toContain('localhost:8080')
})

test.each([
  ['stream key', 'live#keys'],
  ['upload expires', 'uploads'],
  ['nginx', 'proxies#nginx'],
  ['Retry-After', 'requests'],
  ['ZOETROPE_TRUST_PROXY', 'settings'],
  ['backup', 'backup'],
])('a search for "%s" lists %s among the first results', (query, wanted) => {
  expect(
    found(query)
      .slice(0, 8)
      .some((place) => place.startsWith(wanted)),
    found(query).join(' '),
  ).toBe(true)
})

test.each([
  'file.released',
  'recording.finished',
  'StorageQuotaBytes',
  'storagequotabytes',
  'EncodingProgress',
])('a search for %s finds a page that explains it', (query) => {
  expect(found(query)[0]).toMatch(/^(?:events|limits|api-records|api-operations)#/)
})

test('search finds every field of the API', async () => {
  const openApi = await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8')
  const names = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { properties } = value as { readonly properties?: object }
    for (const name of Object.keys(properties ?? {})) names.add(name)
    Object.values(value).forEach(collect)
  }
  const { components, paths } = JSON.parse(openApi) as { components: { schemas: object }; paths: object }
  collect([
    components.schemas,
    Object.values(paths).flatMap((methods) =>
      Object.values(methods as object).map(
        (operation) => (operation as { requestBody?: unknown }).requestBody,
      ),
    ),
  ])
  expect(names.size).toBeGreaterThan(300)
  expect([...names].filter((name) => found(name).length === 0)).toEqual([])
})

test.each([
  ['unknown words', 'xylophone'],
  ['a known and an unknown word', 'webhook xylophone'],
  ['nothing', '  '],
  ['signs alone', '(((*'],
  ['a NUL character', '\u0000'],
])('a search for %s finds nothing', (_what, query) => {
  expect(found(query)).toEqual([])
})

test('docs/errors-and-limits.md lists every error type with its status', () => {
  const text = documentation.pages.get('errors-and-limits')?.html ?? ''
  const documented = [...text.matchAll(/<tr><td><code>(\w+)<\/code><\/td><td>(\d{3})/g)].map(
    ([, type, code]) => [type, Number(code)],
  )
  expect(Object.fromEntries(documented)).toEqual(statusOf)
})

const inWords: Readonly<Record<string, (value: number) => string>> = {
  ZOETROPE_UPLOAD_MAX_BYTES: (bytes) => `${bytes / 1e9} GB`,
  ZOETROPE_MAX_DURATION_SECONDS: (seconds) => `${seconds / 3_600} hours`,
}

test('docs/limits.md lists the defaults of the settings', async () => {
  const text = await readFile(new URL('limits.md', docs), 'utf8')
  const rows = [...text.matchAll(/^\| .* \| (.*) \| `(ZOETROPE_\w+)` \|$/gm)]
  expect(rows.length).toBeGreaterThan(10)
  for (const [, limit = '', name = ''] of rows) {
    const fallback = Number(Object.values(settings).find((one) => one.name === name)?.fallback)
    expect(`${name} ${limit}`).toContain((inWords[name] ?? ((value) => value.toLocaleString('en')))(fallback))
  }
})
