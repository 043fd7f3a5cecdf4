import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { deployFolder, faultsOfSettings, readYaml } from './manifests.ts'

interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string | number>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly networks?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes?: object
  readonly networks?: object
  readonly secrets?: Readonly<Record<string, { readonly file: string }>>
}

/** The schema of the Compose specification allows no field that it does not name. */
const schemaFile = join(
  createRequire(import.meta.url).resolve('dclint/package.json'),
  '../schemas/compose.schema.json',
)
const { $schema: _draft, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8')) as Record<string, unknown>
const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema)

/** Compose fills in variables: `${NAME:-default}` and `${NAME:?message}`. */
const interpolated = (text: string): string =>
  text.replaceAll(/\$\{\w+(?::([-?])([^}]*))?\}/g, (_all, kind, rest) =>
    kind === '-' ? rest : 'https://video.example.com',
  )

const volumeOf = (mount: string): string => mount.split(':')[0] ?? ''

describe.each(['compose.yaml', 'compose.split.yaml'])('deploy/%s', (name) => {
  const compose = readYaml(name) as Compose
  const services = Object.entries(compose.services)
  const ours = services.filter(([, { image }]) => image.includes('zoetrope'))

  test('has only fields of the Compose specification', () => {
    expect(validate(compose), JSON.stringify(validate.errors)).toBe(true)
    const misspelt = { ...compose, services: { one: { ...services[0]?.[1], restrat: 'always' } } }
    expect(validate(misspelt)).toBe(false)
  })

  test('has only settings that Zoetrope knows and accepts, and no secret in plain text', () => {
    for (const [service, { environment = {} }] of ours) {
      const values = Object.entries(environment).map(([key, value]) => [key, interpolated(String(value))])
      expect(faultsOfSettings(Object.fromEntries(values)), service).toEqual([])
    }
  })

  test('refers only to services, volumes, networks, secrets and files that exist', () => {
    const { volumes = {}, networks = {}, secrets = {} } = compose
    for (const [service, one] of services) {
      for (const mount of one.volumes ?? []) {
        const source = volumeOf(mount)
        if (source.startsWith('./')) expect(existsSync(join(deployFolder, source)), mount).toBe(true)
        else if (!source.startsWith('/')) expect(Object.keys(volumes), service).toContain(source)
      }
      for (const secret of one.secrets ?? []) expect(Object.keys(secrets), service).toContain(secret)
      for (const network of one.networks ?? []) expect(Object.keys(networks), service).toContain(network)
      for (const [other, { condition }] of Object.entries(one.depends_on ?? {})) {
        const needed = compose.services[other]
        expect(needed, `${service} depends on ${other}`).toBeDefined()
        if (condition === 'service_healthy') expect(needed?.healthcheck, other).toBeDefined()
      }
      // Files that a service reads must be among its secrets or volumes.
      for (const [key, value] of Object.entries(one.environment ?? {})) {
        const secret = /^\/run\/secrets\/(.+)$/.exec(String(value))?.[1]
        if (secret !== undefined) expect(one.secrets, `${service} ${key}`).toContain(secret)
      }
    }
    const used = new Set(services.flatMap(([, one]) => one.volumes ?? []).map(volumeOf))
    expect(Object.keys(volumes).filter((volume) => !used.has(volume))).toEqual([])
  })

  test('pins the version of each third-party image', () => {
    const others = services
      .map(([, { image }]) => interpolated(image))
      .filter((image) => !image.includes('zoetrope'))
    expect(others.filter((image) => !/:\d+(\.\d+)*$/.test(image))).toEqual([])
  })

  test('runs our containers read-only, without capabilities, and starts them again', () => {
    for (const [service, one] of ours) {
      expect(one, service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: service === 'migrate' ? 'on-failure:10' : 'unless-stopped',
      })
      if (service !== 'migrate') expect(one.healthcheck, service).toBeDefined()
    }
    expect(ours.map(([, { build }]) => build?.dockerfile).filter(Boolean)).toEqual(['deploy/Containerfile'])
  })
})

test('deploy/compose.split.yaml prepares the database and the bucket once both can answer', () => {
  const { services } = readYaml('compose.split.yaml') as Compose
  expect(Object.keys(services['migrate']?.depends_on ?? {})).toEqual(['postgres', 's3'])
  // While the image creates the database, its server listens only on a socket.
  expect(services['postgres']?.healthcheck).toMatchObject({
    test: expect.arrayContaining(['--host', '127.0.0.1']),
  })
})
