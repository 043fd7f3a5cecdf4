import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../../../server/test/support/media.ts'
import { startTestServer, type TestServer } from '../../../server/test/support/test-server.ts'

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL('..', import.meta.url))

let server: TestServer
let folder: string

/**
 * Returns the Node.js of the system, which may be version 20, if there is one. The PATH lists that of the
 * project first.
 */
const systemNode = (): string => {
  const path = (process.env['PATH'] ?? '').split(':').filter((one) => !one.includes('node_modules'))
  try {
    return execFileSync('sh', ['-c', 'command -v node'], {
      env: { PATH: path.join(':') },
      encoding: 'utf8',
    }).trim()
  } catch {
    return process.execPath
  }
}

/** A user folder with the installed package and the README examples as one program. */
beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  execFileSync(process.execPath, ['build.ts'], { cwd: packageFolder })
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-readme-'))
  await mkdir(join(folder, 'node_modules/@zoetrope'), { recursive: true })
  await symlink(join(packageFolder, 'dist'), join(folder, 'node_modules/@zoetrope/sdk'))
  await writeFile(join(folder, 'video.mp4'), await makeSample({ seconds: 3 }))
  const readme = await readFile(join(packageFolder, 'README.md'), 'utf8')
  const examples = [...readme.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, code]) => code ?? '')
  expect(examples.length).toBeGreaterThan(4)
  await writeFile(join(folder, 'examples.mjs'), examples.join('\n'))
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

test('README examples run in order against the built package', async () => {
  const { stdout } = await run(systemNode(), ['examples.mjs'], {
    cwd: folder,
    env: { ZOETROPE_URL: server.url, ZOETROPE_API_KEY: server.apiKey, VIDEO: 'video.mp4' },
    timeout: 200_000,
  })
  expect(stdout).toMatch(/bytes are stored\n/)
  expect(stdout).toMatch(/\/main\.m3u8\n/)
  expect(stdout).toMatch(/AbortError\ntrue\n/)
  expect(stdout).toMatch(/video\.mp4 is encoded and ready\n/)
  expect(stdout).toMatch(/\d+ file\.new \d+\n/)
  expect(stdout).toMatch(/Project|File 999999 does not exist/)
  expect(stdout.trimEnd()).toMatch(/\ntrue$/)
})

test('the build for browsers imports no modules of Node.js, which bundlers of pages reject', async () => {
  const dist = join(packageFolder, 'dist')
  const { exports } = JSON.parse(await readFile(join(dist, 'package.json'), 'utf8')) as {
    exports: { browser: string }
  }
  const unread = [exports.browser]
  const read = new Set<string>()
  for (let name = unread.pop(); name !== undefined; name = unread.pop()) {
    if (read.has(name)) continue
    read.add(name)
    const code = await readFile(join(dist, name), 'utf8')
    expect(code).not.toMatch(/\b(?:from|import|require)\s*\(?\s*["']node:/)
    unread.push(...[...code.matchAll(/["'](\.\/[\w-]+\.js)["']/g)].map(([, found]) => found ?? ''))
  }
  expect(read.size).toBeGreaterThan(1)
})

test('TypeScript 5 checks a program with the types of the built package', async () => {
  const program = `import { Zoetrope, type EventName, type MediaFile, type WebhookEvent } from '@zoetrope/sdk'
const zoetrope = new Zoetrope({ baseUrl: 'http://localhost:8080', apiKey: 'a' })
export const titles = async (): Promise<string[]> => {
  const found: MediaFile[] = []
  for await (const file of zoetrope.files.list(1, { limit: 10 })) found.push(file)
  const page = await zoetrope.projects.list()
  // @ts-expect-error -- a file has no such field
  found[0]?.Nonsense
  // @ts-expect-error -- a project needs a name
  await zoetrope.projects.create({})
  // @ts-expect-error -- there is no such event
  const unknownName: EventName = 'file.painted'
  const name: (event: WebhookEvent) => string = (event) =>
    event.Event === 'recording.finished' ? event.Live.State : unknownName
  // @ts-expect-error -- only an event of a file has a file
  const fileOf = (event: WebhookEvent): number => event.File.Id
  const titlesOf = found.map((file) => file.Metadata.Title)
  return [name.name, fileOf.name, ...titlesOf, ...page.Projects.map((project) => project.Name)]
}
`
  await writeFile(join(folder, 'program.ts'), program)
  const tsc = fileURLToPath(
    new URL('../../../tools/codegen/node_modules/typescript/bin/tsc', import.meta.url),
  )
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  const { stdout } = await run(process.execPath, [tsc, ...options, 'program.ts'], { cwd: folder }).catch(
    (error: unknown) => error as { stdout: string },
  )
  expect(stdout).toBe('')
})
