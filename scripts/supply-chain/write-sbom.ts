import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { productionRefs, type Lock } from './production-packages.ts'
import { debianComponents, sbomOfProduction, withComponents, type Sbom } from './sbom.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = new URL('../../dist/', import.meta.url)

// From the lock file, so that the document covers all platforms and not only this one.
const { stdout } = await promisify(execFile)(
  'npm',
  ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'],
  { cwd: root, maxBuffer: 64 * 1024 * 1024 },
)
const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8')) as Lock
// The build of an image adds its system packages.
const { dpkg } = parseArgs({ options: { dpkg: { type: 'string' } } }).values
const sbom = withComponents(
  sbomOfProduction(JSON.parse(stdout) as Sbom, productionRefs(lock)),
  dpkg === undefined ? [] : debianComponents(await readFile(dpkg, 'utf8')),
)
const file = new URL('zoetrope.cdx.json', folder)
await mkdir(folder, { recursive: true })
await writeFile(file, `${JSON.stringify(sbom, null, 2)}\n`)
console.log(fileURLToPath(file))
