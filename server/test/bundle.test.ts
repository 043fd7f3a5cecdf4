import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from './support/free-port.ts'
import { startProduct, type Product } from './support/product.ts'

const server = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

let base: string
let bundle: string
let script: string

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-bundle-'))
  await mkdir(join(server, 'dist'), { recursive: true })
  // Below the server, from where Node.js finds the packages that are not part of the bundle.
  bundle = await mkdtemp(join(server, 'dist/test-'))
  script = join(bundle, 'main.js')
  await run(process.execPath, [join(server, 'build.ts'), bundle])
})

afterAll(async () => {
  await rm(bundle, { recursive: true })
  await rm(base, { recursive: true })
})

describe('the bundle of the server', () => {
  let product: Product
  const start = async (): Promise<Product> =>
    startProduct(join(base, 'data'), await findFreePort(), {}, script)

  beforeAll(async () => {
    product = await start()
  })
  afterAll(async () => {
    expect(await product.stop()).toBe(0)
  })

  const call = (path: string): Promise<Response> =>
    fetch(product.url + path, { headers: { Authorization: `Bearer ${product.apiKey}` } })

  it('runs every process', async () => {
    for (const role of ['api', 'live', 'worker'] as const) {
      const commandLine = await readFile(`/proc/${await product.rolePid(role)}/cmdline`, 'utf8')
      expect(commandLine.split('\0')).toContain(script)
    }
  })

  it.each([
    '/v3/projects',
    '/docs/sizing',
    '/docs/inter.woff2',
    '/reference/show.js',
    '/reference/scalar.js',
    '/console/',
    '/licenses.txt',
  ])('serves %s', async (path) => {
    expect((await call(path)).status).toBe(200)
  })

  it('starts again after kill -9', async () => {
    await product.kill()
    product = await start()
    expect((await call('/v3/projects')).status).toBe(200)
  })
})

describe('a stack trace of the bundle', () => {
  it('names the sources', async () => {
    const fault = `
      import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      fs.promises.mkdir = () => { throw new Error('unexpected') }
      syncBuiltinESMExports()`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(fault)}`
    await expect(
      run(process.execPath, [script, 'serve'], { env: { NODE_OPTIONS, ZOETROPE_DATA: join(base, 'new') } }),
    ).rejects.toMatchObject({ stderr: expect.stringContaining(join(server, 'src/app/run-tree.ts')) })
  })
})
