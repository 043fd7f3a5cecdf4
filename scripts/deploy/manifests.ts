import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, parseAllDocuments } from 'yaml'
import { loadConfig, settings } from '../../server/src/app/config/config.ts'

export const deployFolder = fileURLToPath(new URL('../../deploy/', import.meta.url))

export const readYaml = (path: string): unknown =>
  parse(readFileSync(join(deployFolder, path), 'utf8'), { merge: true })

export interface Manifest {
  readonly path: string
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  // Manifests have many shapes; the type checker checks them against those of Kubernetes.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [field: string]: any
}

/** All documents below deploy/kubernetes/*, without the kustomizations. */
export const readManifests = (): Manifest[] =>
  globSync('kubernetes/*/*.yaml', { cwd: deployFolder })
    .sort()
    .filter((path) => !path.endsWith('kustomization.yaml'))
    .flatMap((path) =>
      parseAllDocuments(readFileSync(join(deployFolder, path), 'utf8')).map((document) => {
        if (document.errors.length > 0) throw document.errors[0]
        return { ...(document.toJS() as Manifest), path }
      }),
    )

/** Set by Kubernetes or the images of others, and not read by Zoetrope. */
const ofOthers = new Set(['POD_NAME'])
const known = new Map(Object.values(settings).map((one) => [one.name, one]))

/** What is wrong with these settings: unknown names, secrets in plain text, values that stop the start. */
export const faultsOfSettings = (environment: Readonly<Record<string, string>>): string[] => {
  const faults: string[] = []
  const values: Record<string, string> = {}
  for (const [name, value] of Object.entries(environment)) {
    if (ofOthers.has(name)) continue
    const setting = known.get(name.replace(/_FILE$/, ''))
    const isFile = name.endsWith('_FILE')
    if (setting === undefined || (isFile && setting.isSecret !== true)) faults.push(`unknown setting ${name}`)
    else if (!isFile && setting.isSecret === true) faults.push(`${name} is a secret`)
    else if (!isFile) values[name] = value
  }
  try {
    // The one secret that other settings require.
    loadConfig({ ZOETROPE_DATA: '/nonexistent', S3_SECRET_ACCESS_KEY: 'secret', ...values })
  } catch (error) {
    faults.push((error as Error).message)
  }
  return faults
}
