import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { settings } from '../../app/config/config.ts'
import { statusOf } from '../base/problem.ts'
import { documentPage } from './page-layout.ts'
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

const guidePages = ['Start', 'Guides'].flatMap(
  (name) => documentation.topics.find((topic) => topic.name === name)?.pages ?? [],
)

test.each(documentation.topics.find(({ name }) => name === 'Guides')?.pages ?? [])(
  'the guide $label begins with what the reader has at the end, and takes at most ten minutes',
  ({ slug }) => {
    const { markdown = '' } = documentation.pages.get(slug) ?? {}
    const [, minutes] =
      /^# .*\n\n> \*\*At the end:\*\* .+\n>\n> \*\*Time:\*\* (\d+) minutes/.exec(markdown) ?? []
    expect(Number(minutes)).toBeGreaterThan(0)
    expect(Number(minutes)).toBeLessThanOrEqual(10)
  },
)

test('examples for several languages have them in the same order on each page', () => {
  const order = ['curl', 'TypeScript', 'CLI']
  let count = 0
  for (const { slug } of guidePages)
    for (const [group] of documentation.pages
      .get(slug)
      ?.html.matchAll(/<div class="tabs">[^]*?<\/div>\n<\/div>\n/g) ?? []) {
      const names = [...group.matchAll(/data-tab="(\w+)"/g)].map(([, name = '']) => name)
      expect(names, slug).toEqual(order.filter((name) => names.includes(name)))
      expect(names.length, slug).toBeGreaterThan(1)
      count += 1
    }
  expect(count).toBeGreaterThan(20)
})

test('every picture of a page exists, with a title, a description and a size', () => {
  let count = 0
  for (const { path, html, markdown } of pages) {
    expect(html.match(/<img /g)?.length ?? 0, path).toBe(markdown.match(/!\[/g)?.length ?? 0)
    count += html.match(/<img src="[^"]+" width="[1-9]\d+" height="[1-9]\d+" alt="[^"]+">/g)?.length ?? 0
  }
  expect(count).toBeGreaterThan(3)
  for (const [name, { svg }] of documentation.pictures) {
    expect(svg, name).toMatch(/<title id="title">.+<\/title>\n<desc id="desc">.+<\/desc>/)
    expect(svg, name).toContain('prefers-color-scheme:dark')
    expect(svg, name).not.toMatch(/<script|href=|url\((?!#)/)
  }
})

test('the Markdown of a page has the addresses of this installation, and no relative ones', () => {
  const { markdown = '' } = documentation.pages.get('quickstart') ?? {}
  expect(markdown).toContain('[Concepts](https://video.example.com/docs/concepts.md)')
  expect(markdown).toContain('https://video.example.com/v3')
  for (const page of pages) {
    expect(page.markdown, page.path).not.toContain('localhost:8080')
    const prose = page.markdown.replace(/^```[^]*?^```$/gm, '').replace(/`[^`\n]+`/g, '')
    expect(prose.match(/\]\((?!https?:|#|mailto:)[^)\s]+\)/g), page.path).toBeNull()
  }
})

test('llms.txt has a title, a summary and a link to the Markdown of each page of the sidebar', () => {
  expect(documentation.llms).toMatch(/^# Zoetrope\n\n> Zoetrope is a self-hosted video platform\. .+\n\n/)
  for (const { slug } of documentation.topics.flatMap((topic) => topic.pages))
    expect(documentation.llms).toContain(`](https://video.example.com/docs/${slug}.md)`)
})

test('a page names its source, and links to the editor of the repository if there is one', () => {
  const page = documentation.pages.get('live')
  if (page === undefined) throw new Error('the page is missing')
  expect(documentPage({ documentation, version: '1', editUrl: null }, page)).toContain(
    'Something wrong? Its text is <code>docs/live.md</code> in the repository.',
  )
  const editUrl = 'https://git.example.com/zoetrope/edit/main'
  expect(documentPage({ documentation, version: '1', editUrl }, page)).toContain(
    '<a href="https://git.example.com/zoetrope/edit/main/docs/live.md">Edit this page</a>',
  )
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
      if (documentation.pictures.has(href.replace('/docs/pictures/', ''))) continue
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
        pages.some((page) => page.path === target) ||
        target.startsWith('docs/pictures/') ||
        ['README.md', 'server/openapi.json'].includes(target)
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
  const documented = [...text.matchAll(/<tr><td[^>]*><code>(\w+)<\/code><\/td><td[^>]*>(\d{3})/g)].map(
    ([, type, code]) => [type, Number(code)],
  )
  expect(Object.fromEntries(documented)).toEqual(statusOf)
})

test('the tokens of the pages are those of the console', async () => {
  const read = (path: string): Promise<string> =>
    readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')
  const own = await read('server/src/platform/docs/assets/tokens.css')
  const ofConsole = await read('console/src/ui/tokens.css')
  const valuesOf = (scheme: string): Map<string, string> => {
    const [, block = ''] = new RegExp(`color-scheme='${scheme}'\\] \\{([^}]*)\\}`).exec(ofConsole) ?? []
    return new Map(
      [...block.matchAll(/(--[\w-]+): (#\w+);/g)].map(([, name = '', value = '']) => [name, value]),
    )
  }
  const [light, dark] = [valuesOf('light'), valuesOf('dark')]
  const compared = [...own.matchAll(/(--[\w-]+): light-dark\((#\w+), (#\w+)\);/g)].filter(([, name = '']) =>
    light.has(name),
  )
  expect(compared.length).toBeGreaterThan(8)
  for (const [, name = '', inLight, inDark] of compared)
    expect([name, inLight, inDark]).toEqual([name, light.get(name), dark.get(name)])
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
