import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Imports of values. Imports of types are erased before the program runs. */
const importPattern =
  /^(?:import|export) (?!type\b)(?:[\w\s{},*$]*? from )?'([^.'][^']*)'|\bimport\('([^.'][^']*)'\)/gm
const packagePattern = /^(?:@[^/]+\/)?[^/]+/

const importedBy = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importPattern)]
    .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
    // npm links the workspaces in every installation.
    .filter((name) => !/^(?:node:|@zoetrope\/)/.test(name))
    .map((name) => packagePattern.exec(name)?.[0] ?? name)

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const forProduction = (folder: string): Set<string> => {
  const text = readFileSync(join(root, folder, 'package.json'), 'utf8')
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(text) as PackageFile
  return new Set([...Object.keys(dependencies), ...Object.keys(optionalDependencies)])
}

const isForTests = (path: string): boolean => /\.test\.ts$|\.promises\.ts$|\/test-support\//.test(path)

it.each(['server', 'cli', ...globSync('packages/*', { cwd: root }).sort()])(
  'the sources of %s import only packages of a production installation',
  (folder) => {
    const allowed = forProduction(folder)
    const missing = globSync(`${folder}/src/**/*.ts`, { cwd: root })
      .filter((path) => !isForTests(path))
      .flatMap((file) =>
        importedBy(file)
          .filter((name) => !allowed.has(name))
          .map((name) => `${file}: ${name}`),
      )
    expect(missing).toEqual([])
  },
)
