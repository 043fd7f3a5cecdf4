import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeSample } from './media.ts'
import { compileCache } from './compile-cache.ts'
import type { TestServer } from './test-server.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * An error response ends the script. The last JSON object is stored, because later commands refer to it;
 * other output is no API response.
 */
const curl = (program: string): string => `#!/bin/sh
last=\${0%/bin/curl}/last-answer
"${program}" -sS --fail-with-body "$@" >"$last.new" || { code=$?; cat "$last.new" >&2; exit $code; }
jq -e 'type == "object"' "$last.new" >/dev/null 2>&1 && cp "$last.new" "$last"
cat "$last.new"
`

/** Prints the value at a path such as Playouts[0].HLS in the last response. */
const answer = `#!/bin/sh
jq -er ".$1" "\${0%/bin/answer}/last-answer"
`

/**
 * Runs the command line of this checkout against the test server. Commands that would start a server do
 * nothing.
 */
const launcher = `#!/bin/sh
case $1 in up | install | test) exit 0 ;; esac
exec "${process.execPath}" "${root}/cli/src/main.ts" "$@"
`

export interface GuideFolder {
  /** Runs all shell blocks of a page in one shell and returns their output. */
  readonly runShell: (code: string) => Promise<string>
  /** Runs all JavaScript or TypeScript blocks of a page as one module. */
  readonly runScript: (language: 'js' | 'ts', code: string) => Promise<string>
  /** Runs all blocks of a page in this language as one program, with its own API key. */
  readonly runProgram: (language: 'python' | 'php', code: string, apiKey: string) => Promise<string>
  readonly remove: () => Promise<void>
}

/**
 * `<HLS of the response>`, quoted or not, stands for that field of the last response; `<your API key>` for the
 * key of the server.
 */
const fillIn = (code: string): string =>
  code
    .replace(/'<([\w.[\]]+) of the response>'/g, '"$(answer $1)"')
    .replaceAll('<your API key>', '"$ZOETROPE_API_KEY"')

export const interpreters = {
  python: { program: 'python3', file: 'integrate.py' },
  php: { program: 'php', file: 'integrate.php' },
} as const

/** Creates the working folder of a reader: a clone with some videos, a key and a running server. */
export const makeGuideFolder = async (server: TestServer): Promise<GuideFolder> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-guides-'))
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const { stdout: curlPath } = await run('sh', ['-c', 'command -v curl'])
  const programs = { curl: curl(curlPath.trim()), answer }
  for (const [name, text] of Object.entries(programs)) await writeFile(join(bin, name), text, { mode: 0o755 })
  await writeFile(join(folder, 'zoetrope'), launcher)
  await chmod(join(folder, 'zoetrope'), 0o755)
  const video = await makeSample({ seconds: 3 })
  for (const name of ['interview.mp4', 'film.mp4']) await writeFile(join(folder, name), video)
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const environment = {
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    HOME: folder,
    NODE_COMPILE_CACHE: compileCache,
    API: `${server.url}/v3`,
    KEY: server.apiKey,
    ZOETROPE_URL: server.url,
    ZOETROPE_API_BASE: `${server.url}/v3`,
    ZOETROPE_API_KEY: server.apiKey,
  }
  const start = async (
    program: string,
    words: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> => {
    const { stdout } = await run(program, words, {
      cwd: folder,
      env: { ...environment, ...more },
      timeout: 200_000,
    })
    return stdout
  }
  const located = (code: string): string => code.replaceAll('http://localhost:8080', server.url)
  return {
    runShell: async (code) => {
      await writeFile(join(folder, 'guide.sh'), located(fillIn(code)))
      return start('sh', ['-eux', 'guide.sh'])
    },
    runScript: async (language, code) => {
      const file = `guide.m${language}`
      await writeFile(join(folder, file), located(code))
      return start(process.execPath, [file])
    },
    runProgram: async (language, code, apiKey) => {
      const { program, file } = interpreters[language]
      await writeFile(join(folder, file), code)
      return start(program, [file], { ZOETROPE_API_KEY: apiKey })
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
