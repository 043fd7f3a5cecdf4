import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settings } from '../src/app/config/config.ts'
import { findProgram } from './support/find-program.ts'
import { guideBlocksOf, type GuideBlock } from './support/guide-blocks.ts'
import { interpreters, makeGuideFolder, type GuideFolder } from './support/guide-folder.ts'
import { playGuidePage } from './support/guide-page.ts'
import { makeSample } from './support/media.ts'
import { startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

const run = promisify(execFile)
const docs = new URL('../../docs/', import.meta.url)
const root = fileURLToPath(new URL('../../', import.meta.url))

/** Programs of these pages run in other tests, which check them more closely. */
const runElsewhere: Readonly<Record<string, string>> = {
  'docs/verify-webhooks.md': 'verify-guide.test.ts gives them good and forged requests',
  'docs/identity-provider.md':
    'identity-provider-docs.test.ts; connecting needs a provider, as partner-routes.test.ts has one',
}

/** The HTML and scripts of this guide form a page that embeds the player. */
const embedGuide = 'docs/embed.md'

/** How the tests verify a block of each language. A page with another language fails. */
const languages: Readonly<Record<string, string>> = {
  sh: 'run, one after the other',
  js: 'run, one after the other',
  console: 'typed at a terminal by people: read by sh -n',
  json: 'parsed',
  ini: 'read line by line',
  nginx: 'nginx -t',
  caddy: 'caddy adapt, where there is one',
  yaml: 'not run: its files are in scripts/deploy tests',
  haproxy: 'run by proxies.test.ts or database-failover.test.ts, where there is one',
  html: 'names no other host; that of the embed guide is opened in Chromium',
  sql: 'not run: roles belong to the one PostgreSQL of all tests',
  ts: 'a tab: run and type-checked; otherwise identity-provider-docs.test.ts',
  python: 'run, or by verify-guide.test.ts',
  php: 'run, or by verify-guide.test.ts',
  go: 'verify-guide.test.ts',
  '': 'not code',
}

const pages = [
  'README.md',
  // The quickstart creates project 2 and file 2, which all other guides use, as readers do.
  'docs/quickstart.md',
  ...(await readdir(docs))
    .filter((name) => name.endsWith('.md') && name !== 'quickstart.md')
    .sort()
    .map((name) => `docs/${name}`),
]

const guides = pages.filter((page) => page !== 'README.md' && !(page in runElsewhere))

const blocks = new Map<string, GuideBlock[]>()
for (const page of pages) blocks.set(page, await guideBlocksOf(page))

const blocksIn = (language: string): { page: string; code: string }[] =>
  [...blocks].flatMap(([page, found]) =>
    found.filter((block) => block.language === language).map(({ code }) => ({ page, code })),
  )

const isFinished = async (server: TestServer, projectId: number, fileId: number): Promise<void> => {
  await waitFor(
    () => server.call('GET', `/projects/${projectId}/files/${fileId}`),
    ({ body }) => body.IsFinished === true,
  )
}

const joined = (page: string, language: string, tab: string | null): string =>
  (blocks.get(page) ?? [])
    .filter((block) => block.language === language && (block.tab === null || block.tab === tab))
    .map(({ code }) => code)
    .join('\n')

const prepare = async (server: TestServer): Promise<GuideFolder> => {
  const folder = await makeGuideFolder(server)
  await server.call('POST', '/projects', { body: { Name: 'Demo', DefaultReleaseStatus: 'published' } })
  await server.call('POST', '/projects/1/files?fileName=sample.mp4', {
    body: await makeSample({ seconds: 3 }),
    headers: { 'Content-Type': 'video/mp4' },
  })
  await isFinished(server, 1, 1)
  return folder
}

/** The guides run on a fresh installation, page after page, as a reader who chose curl follows them. */
describe('Commands and programs of the guides:', () => {
  let server: TestServer
  let folder: GuideFolder

  beforeAll(async () => {
    server = await startTestServer({ withWorker: true })
    folder = await prepare(server)
  })

  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  const playEmbedded = async (): Promise<void> => {
    const { body } = await server.call('GET', '/projects/2/files/2')
    const { Id: playoutId } = body.Playouts[0]
    expect(await playGuidePage(blocks.get(embedGuide) ?? [], { url: server.url, playoutId })).toEqual([])
  }

  const runBlocks = async (page: string, language: 'sh' | 'js', code: string): Promise<void> => {
    if (language === 'sh') await folder.runShell(code)
    else if (page === embedGuide) await playEmbedded()
    else await folder.runScript('js', code)
  }

  for (const page of guides)
    for (const language of ['sh', 'js'] as const) {
      const code = joined(page, language, 'curl')
      if (code === '') continue
      test(`${page}: the ${language} blocks run`, async () => {
        await runBlocks(page, language, code)
        // The next page expects that the file is finished.
        await isFinished(server, 2, 2)
      })
    }

  for (const page of guides)
    for (const language of ['python', 'php'] as const) {
      const code = joined(page, language, null)
      if (code === '') continue
      test(`${page}: the ${language} program uploads, waits and signs`, async (context) => {
        const { program } = interpreters[language]
        if ((await findProgram(program)) === null) return context.skip(`${program} is not installed`)
        const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8')
        const scopes = [...text.matchAll(/`([a-z]+:[a-z-]+)`/g)].map(([, scope = '']) => scope)
        const printed = await folder.runProgram(language, code, await server.newKey({ scopes }))
        const [, link = ''] = /Frame this page for the viewer: (\S+) until/.exec(printed) ?? []
        expect((await fetch(link)).status).toBe(200)
      })
    }

  test('the first file of the reader plays for viewers, and a webhook received a delivery', async () => {
    const { body } = await server.call('GET', '/projects/2/files/2')
    expect(body).toMatchObject({ Status: 'finished', Metadata: { ReleaseStatus: 'published' } })
    expect((await fetch(body.Playouts[0].HLS)).status).toBe(200)
    expect((await fetch(body.Playouts[0].EmbedURI)).status).toBe(200)
    const { body: deliveries } = await server.call('GET', '/modules/notifications/1/deliveries')
    expect(deliveries.TotalCount).toBeGreaterThan(0)
  })
})

/** Readers who chose another tab start with a fresh installation too, so that the Ids of the pages hold. */
describe.each([
  { tab: 'TypeScript', language: 'ts' },
  { tab: 'CLI', language: 'sh' },
] as const)('The tab $tab of the guides:', ({ tab, language }) => {
  let server: TestServer
  let folder: GuideFolder

  beforeAll(async () => {
    server = await startTestServer({ withWorker: true })
    folder = await prepare(server)
  })

  afterAll(async () => {
    await server.stop()
    await folder.remove()
  })

  for (const page of guides) {
    const found = (blocks.get(page) ?? []).filter((block) => block.tab === tab && block.language === language)
    if (found.length === 0) continue
    const code = found.map((block) => block.code).join('\n')
    test(`${page} runs`, async () => {
      if (language === 'sh') await folder.runShell(code)
      else await folder.runScript('ts', code)
      await isFinished(server, 2, 2)
    })
  }
})

describe('Guide blocks that cannot run', () => {
  test('TypeScript examples have no type errors', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zoetrope-types-'))
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const files: string[] = []
    for (const page of guides) {
      const code = (blocks.get(page) ?? []).filter(({ tab }) => tab === 'TypeScript').map((one) => one.code)
      if (code.length === 0) continue
      files.push(join(folder, `${basename(page, '.md')}.mts`))
      await writeFile(files.at(-1) ?? '', code.join('\n'))
    }
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions']
    const target = ['--target', 'esnext', '--module', 'nodenext', '--types', 'node']
    const { stdout } = await run(
      join(root, 'node_modules/.bin/tsc'),
      [...options, ...target, ...files],
      // There is no tsconfig.json in this folder that could apply.
      { cwd: folder },
    ).catch((error: unknown) => error as { readonly stdout: string })
    expect(stdout).toBe('')
    await rm(folder, { recursive: true, force: true })
  })

  test('every block has a known language', () => {
    const unknown = [...blocks].flatMap(([page, found]) =>
      found.filter(({ language }) => !(language in languages)).map(({ language }) => `${page}: ${language}`),
    )
    expect(unknown).toEqual([])
  })

  test('terminal commands are valid shell syntax', async () => {
    for (const { page, code } of blocksIn('console')) {
      const script = code.replace(/<[^>]+>/g, 'something')
      await expect(run('sh', ['-nc', script]), page).resolves.toBeDefined()
    }
  })

  test('JSON blocks are valid JSON', () => {
    for (const { code } of blocksIn('json')) expect(() => JSON.parse(code)).not.toThrow()
  })

  test('settings files and systemd units contain only sections and name-value pairs', () => {
    for (const { page, code } of blocksIn('ini'))
      for (const line of code.trim().split('\n'))
        expect(line, page).toMatch(/^(?:|#.*|\[[A-Z][a-z]+\]|[A-Za-z_0-9]+=.*)$/)
  })

  test('every setting that a page names exists', async () => {
    const known = new Set([
      ...Object.values(settings).map(({ name }) => name),
      // Variables of the command line and of the examples.
      ...['ZOETROPE_API_BASE', 'ZOETROPE_API_KEY', 'ZOETROPE_URL'],
    ])
    const named = /\b(?:ZOETROPE|S3|OUTBOUND)_[A-Z0-9_]*[A-Z0-9]\b(?!…)/g
    for (const [page] of blocks) {
      const text = await readFile(new URL(`../../${page}`, import.meta.url), 'utf8')
      const wrong = (text.match(named) ?? []).filter((name) => !known.has(name))
      expect({ page, wrong }).toEqual({ page, wrong: [] })
    }
  })

  test('HTML blocks name only our host and the example host', () => {
    for (const { page, code } of blocksIn('html'))
      for (const [, host] of code.matchAll(/(?:https?:)?\/\/([\w.-]+)/g))
        expect(host, page).toMatch(/^(?:localhost|video\.example\.com)$/)
  })

  test('nginx accepts every configuration', async (context) => {
    const nginx = (await findProgram('nginx')) ?? (await findProgram('/usr/sbin/nginx'))
    if (nginx === null) return context.skip('there is no nginx on this machine: apt-get install nginx')
    const folder = await mkdtemp(join(tmpdir(), 'zoetrope-nginx-t-'))
    const certificate = join(folder, 'certificate.pem')
    const key = join(folder, 'key.pem')
    const make = [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    ]
    await run('openssl', [...make, '-subj', '/CN=video.example.com', '-keyout', key, '-out', certificate])
    for (const { page, code } of blocksIn('nginx')) {
      // The page shows fragments of a server block, so the test adds the enclosing blocks.
      const [outer = '', inner = ''] = /^(?:upstream|server) /m.test(code)
        ? [code]
        : [code.split(/^location /m)[0], code.slice(code.search(/^location /m))]
      const whole =
        inner === ''
          ? outer
          : `upstream zoetrope { server 127.0.0.1:8080; }\n${outer}\nserver { listen 80;\n${inner}\n}`
      const fitted = whole
        .replace(/ssl_certificate \S+;/g, `ssl_certificate ${certificate};`)
        .replace(/ssl_certificate_key \S+;/g, `ssl_certificate_key ${key};`)
        .replace(/listen \d+/g, 'listen 127.0.0.1:18999')
        .replace('/var/cache/nginx/segments', join(folder, 'segments'))
      const file = join(folder, 'nginx.conf')
      await writeFile(
        file,
        `pid ${join(folder, 'pid')}; error_log stderr; events {} http { access_log off; ${fitted} }`,
      )
      await expect(
        run(nginx, ['-t', '-q', '-c', file, '-e', 'stderr', '-p', folder]),
        page,
      ).resolves.toBeDefined()
    }
    await rm(folder, { recursive: true, force: true })
  })

  test('Caddy accepts its configuration', async (context) => {
    const caddy = await findProgram('caddy')
    if (caddy === null) return context.skip('there is no caddy on this machine: apt-get install caddy')
    const folder = await mkdtemp(join(tmpdir(), 'zoetrope-caddy-'))
    for (const { page, code } of blocksIn('caddy')) {
      const file = join(folder, 'Caddyfile')
      await writeFile(file, code)
      await expect(
        run(caddy, ['adapt', '--config', file, '--adapter', 'caddyfile', '--validate']),
        page,
      ).resolves.toBeDefined()
    }
    await rm(folder, { recursive: true, force: true })
  })
})

test.for([
  {
    what: 'continues when the server stays away for several attempts',
    film: '0123456789',
    fault: `if 2 <= len(requests) <= 4:
        raise urllib.error.URLError("connection refused")`,
    requested: 'PUT PUT HEAD HEAD HEAD PUT PUT',
  },
  {
    what: 'continues as long as bytes arrive between the interruptions',
    film: '0123456789abcde',
    fault: `if method == "PUT":
        stored.extend(body[:1])
        raise urllib.error.URLError("connection reset")`,
    requested: 'PUT HEAD '.repeat(15).trim(),
  },
])('the Python upload $what', async ({ film, fault, requested }, context) => {
  const { program } = interpreters.python
  if ((await findProgram(program)) === null) return context.skip(`${program} is not installed`)
  const guide = await readFile(new URL('python.md', docs), 'utf8')
  const [, upload = ''] = /```python\n(PART_BYTES[\s\S]*?)```/.exec(guide) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-python-'))
  await writeFile(join(folder, 'film.mp4'), film)
  await writeFile(
    join(folder, 'upload.py'),
    `import os, time, urllib.error
${upload}
PROJECT, PART_BYTES, time.sleep = 2, 4, lambda seconds: None
requests, stored = [], bytearray()

def call(*_):
    return {"Id": 5, "Upload": {"URI": "upload"}}

def send(method, url, body=None, headers=None):
    requests.append(method)
    ${fault}
    if method == "PUT":
        stored.extend(body)
    return {"Upload-Offset": str(len(stored))}, b""

print(upload("film.mp4", {}), stored.decode(), *requests)
`,
  )
  const { stdout } = await run(program, ['upload.py'], { cwd: folder })
  expect(stdout).toBe(`5 ${film} ${requested}\n`)
  await rm(folder, { recursive: true, force: true })
})

describe.each([
  { language: 'python', page: 'python.md', end: '\nprint("Uploaded file", upload("film.mp4", {}))\n' },
  { language: 'php', page: 'php.md', end: '' },
] as const)('The $language upload', ({ language, page, end }) => {
  const { program } = interpreters[language]

  /** Stores 4 bytes of the first part and answers it with the status and a proxy's HTML. Accepts later parts. */
  const uploadThrough = async (status: number) => {
    const requests: string[] = []
    const startedAt: number[] = []
    let stored = ''
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
      const body = (await request.toArray()).join('')
      const { port } = server.address() as AddressInfo
      if (request.method === 'POST')
        return response.end(JSON.stringify({ Id: 5, Upload: { URI: `http://127.0.0.1:${port}/upload` } }))
      requests.push(`${request.method} ${request.headers['content-range'] ?? ''}`.trim())
      startedAt.push(performance.now())
      if (requests.length === 1) {
        stored = body.slice(0, 4)
        response.writeHead(status, { 'Retry-After': '4', 'Content-Type': 'text/html' })
        return response.end('<h1>Restarting</h1>')
      }
      if (request.method === 'PUT') stored += body
      return response.setHeader('Upload-Offset', stored.length).end()
    }
    const server = createServer((request, response) => void answer(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const folder = await mkdtemp(join(tmpdir(), 'zoetrope-upload-'))
    const found = (blocks.get(`docs/${page}`) ?? []).filter((block) => block.language === language)
    const code = found.slice(0, 2).map((block) => block.code)
    await writeFile(join(folder, 'film.mp4'), '0123456789')
    await writeFile(join(folder, 'program'), code.join('\n') + end)
    const env = {
      ...process.env,
      ZOETROPE_API_BASE: `http://127.0.0.1:${port}/v3`,
      ZOETROPE_API_KEY: 'key',
    }
    const { stdout, stderr } = await run(program, ['program'], { cwd: folder, env }).catch(
      (error: unknown) => error as { readonly stdout: string; readonly stderr: string },
    )
    server.closeAllConnections()
    server.close()
    await rm(folder, { recursive: true, force: true })
    const [first = 0, second = 0] = startedAt
    return { requests, stored, printed: stdout + stderr, waitedMs: second - first }
  }

  test.for([503, 429])(
    'continues at the offset of the server, after Retry-After, when a part is answered with %i',
    async (status, context) => {
      if ((await findProgram(program)) === null) return context.skip(`${program} is not installed`)
      const { requests, stored, printed, waitedMs } = await uploadThrough(status)
      expect(printed).toContain('Uploaded file 5')
      expect(requests).toEqual(['PUT bytes 0-9/10', 'HEAD', 'PUT bytes 4-9/10'])
      expect(stored).toBe('0123456789')
      expect(waitedMs).toBeGreaterThan(3900)
    },
  )

  test('ends with the status and the text when a part is answered with 413', async (context) => {
    if ((await findProgram(program)) === null) return context.skip(`${program} is not installed`)
    const { requests, printed } = await uploadThrough(413)
    expect(requests).toHaveLength(1)
    expect(printed).toContain('413 <h1>Restarting</h1>')
  })
})
