/**
 * Writes dist, the published package: ES modules with types, for browsers and Node.js 20 or later, and
 * package.json.
 */
import { execFileSync } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('.', import.meta.url))

/** Users install only this package: its types include those of the vocabulary, which is not published. */
const bundleVocabulary = async (): Promise<void> => {
  const types = `${root}dist/types/`
  execFileSync('tsc', ['--project', 'tsconfig.vocabulary.json'], { cwd: root, stdio: 'inherit' })
  for (const name of await readdir(types)) {
    if (!name.endsWith('.d.ts')) continue
    const text = await readFile(`${types}${name}`, 'utf8')
    await writeFile(`${types}${name}`, text.replace("'@zoetrope/vocabulary'", "'./vocabulary/index.d.ts'"))
  }
}

await rm(`${root}dist`, { recursive: true, force: true })
/** Bundlers of pages reject imports of Node.js modules, so `external` is empty for browsers. */
const buildFor = (fileName: string, external: RegExp[]) =>
  build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2022',
      minify: false,
      emptyOutDir: false,
      lib: { entry: 'src/index.ts', formats: ['es'], fileName },
      rollupOptions: { external },
    },
  })

await buildFor('index', [/^node:/])
await buildFor('browser', [])
execFileSync('tsc', ['--project', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
await bundleVocabulary()

const { name, version, license, description, type } = JSON.parse(
  await readFile(`${root}package.json`, 'utf8'),
) as Record<string, string>
await writeFile(
  `${root}dist/package.json`,
  `${JSON.stringify(
    {
      name,
      version,
      license,
      description,
      type,
      engines: { node: '>=20' },
      sideEffects: false,
      exports: { types: './types/index.d.ts', browser: './browser.js', default: './index.js' },
    },
    null,
    2,
  )}\n`,
)
await cp(`${root}README.md`, `${root}dist/README.md`)
await cp(`${root}../../LICENSE`, `${root}dist/LICENSE`)
