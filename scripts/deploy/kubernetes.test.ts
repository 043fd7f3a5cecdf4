import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { deployFolder, faultsOfSettings, readManifests, readYaml, type Manifest } from './manifests.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifests = readManifests()
const ofKind = (kind: string): Manifest[] => manifests.filter((one) => one.kind === kind)

const moduleOf = ({ apiVersion }: Manifest): string =>
  `kubernetes-types/${apiVersion === 'v1' ? 'core/v1' : apiVersion.replace('.k8s.io', '')}`

/** Each manifest as an object literal, in which the type checker accepts no field that the type does not have. */
const sourceOf = (all: readonly Manifest[]): string =>
  all
    .map(({ path, ...manifest }, index) => {
      const type = `import('${moduleOf({ path, ...manifest })}').${manifest.kind}`
      return `// ${path}\nexport const _${index}: ${type} = ${JSON.stringify(manifest, null, 1)}\n`
    })
    .join('')

const typeErrors = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'zoetrope-manifests-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, types: [], module: 'preserve', target: 'esnext' },
    paths: { 'kubernetes-types/*': [join(root, 'node_modules/kubernetes-types/*')] },
  }
  for (const [name, source] of Object.entries(files)) writeFileSync(join(folder, name), source)
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout
}

interface PodSpec {
  readonly containers: readonly {
    readonly name: string
    readonly args?: readonly string[]
    readonly env?: readonly { readonly name: string; readonly value?: string }[]
    readonly ports?: readonly { readonly name: string; readonly containerPort: number }[]
    readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
    readonly [field: string]: unknown
  }[]
  readonly volumes: readonly { readonly name: string }[]
  readonly [field: string]: unknown
}

interface Workload {
  readonly name: string
  readonly manifest: Manifest
  readonly labels: Readonly<Record<string, string>>
  readonly pod: PodSpec
}

const workloads: Workload[] = manifests
  .filter(({ spec }) => spec?.template !== undefined || spec?.containers !== undefined)
  .map((manifest) => {
    const { metadata, spec } = manifest.spec.template ?? manifest
    return { name: manifest.metadata.name, manifest, labels: metadata.labels, pod: spec }
  })

const podsOf = (selector: Readonly<Record<string, string>>): Workload[] =>
  workloads.filter(({ labels }) => Object.entries(selector).every(([key, value]) => labels[key] === value))

const portsOf = ({ pod }: Workload): string[] =>
  pod.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name))

const shared = (ofKind('ConfigMap')[0] as Manifest)['data'] as Readonly<Record<string, string>>

test('the types of Kubernetes accept every field, and reject a misspelt one', () => {
  const misspelt = structuredClone(ofKind('Deployment')[0]) as Manifest
  misspelt.spec.template.spec.containers[0].readynessProbe = {}
  const wrongType = {
    ...misspelt,
    spec: { ...misspelt.spec, template: undefined, replicas: '2' },
  } as Manifest
  const found = typeErrors({
    'manifests.ts': sourceOf(manifests),
    'misspelt.ts': sourceOf([misspelt]),
    'wrong-type.ts': sourceOf([wrongType]),
  })
  expect(found.match(/^manifests\.ts.*/gm) ?? []).toEqual([])
  expect(found).toMatch(/^misspelt\.ts.*readynessProbe.* does not exist/m)
  expect(found).toMatch(/^wrong-type\.ts.*/m)
  expect(workloads.map(({ name }) => name)).toEqual([
    'zoetrope-admin',
    'zoetrope-api',
    'zoetrope-live',
    'zoetrope-worker',
    'zoetrope-migrate',
  ])
})

describe.each(workloads)('$name', (workload) => {
  const { manifest, pod } = workload
  const [container] = pod.containers
  const env = Object.fromEntries((container?.env ?? []).map(({ name, value = '' }) => [name, value]))

  test('has only settings that Zoetrope knows and accepts, and reads secrets from mounted files', () => {
    expect(faultsOfSettings({ ...shared, ...env })).toEqual([])
    const mounts = container?.volumeMounts ?? []
    for (const [name, path] of Object.entries({ ...shared, ...env }))
      if (name.endsWith('_FILE'))
        expect(
          mounts.some(({ mountPath }) => path.startsWith(`${mountPath}/`)),
          name,
        ).toBe(true)
    const claims: readonly Manifest[] = manifest.spec.volumeClaimTemplates ?? []
    const volumes = [...pod.volumes, ...claims.map(({ metadata }) => metadata)].map(({ name }) => name)
    expect(new Set(mounts.map(({ name }) => name))).toEqual(new Set(volumes))
  })

  test('runs as its own user, read-only, without capabilities and tokens', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 10001, seccompProfile: { type: 'RuntimeDefault' } },
    })
    expect(container).toMatchObject({
      image: 'zoetrope',
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    })
  })

  test('has probes on ports that it opens', () => {
    const ports = Object.fromEntries((container?.ports ?? []).map((one) => [one.name, one.containerPort]))
    if (['Job', 'Pod'].includes(manifest.kind)) return expect(ports).toEqual({})
    const health = Number(env['ZOETROPE_WORKER_PORT'] ?? env['ZOETROPE_LIVE_HEALTH_PORT'] ?? 8080)
    for (const [name, path] of [
      ['startupProbe', '/healthz'],
      ['livenessProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
    ] as const) {
      const probe = container?.[name] as { httpGet: { path: string; port: string } } | undefined
      expect([probe?.httpGet.path, ports[probe?.httpGet.port ?? '']], name).toEqual([path, health])
    }
    expect(manifest.spec.template.metadata.annotations['prometheus.io/port']).toBe(String(health))
    const role = env['ZOETROPE_LIVE_URL'] === undefined ? undefined : 'live'
    if (role !== undefined)
      expect(env['ZOETROPE_LIVE_URL']).toBe(
        `http://$(POD_NAME).${manifest.spec.serviceName}:${ports['delivery']}`,
      )
  })
})

test('services, budgets, policies and autoscalers select pods and name ports that exist', () => {
  for (const { metadata, spec } of ofKind('Service')) {
    const pods = podsOf(spec.selector)
    expect(pods, metadata.name).toHaveLength(1)
    for (const { targetPort } of spec.ports)
      expect(pods.flatMap(portsOf), metadata.name).toContain(targetPort)
  }
  const roles = ['zoetrope-api', 'zoetrope-live', 'zoetrope-worker']
  for (const kind of ['PodDisruptionBudget', 'NetworkPolicy']) {
    const selectors = ofKind(kind).map(({ spec }) => (spec.selector ?? spec.podSelector).matchLabels)
    expect(selectors.flatMap((selector) => podsOf(selector).map(({ name }) => name)).sort(), kind).toEqual(
      roles,
    )
  }
  for (const { metadata, spec } of ofKind('NetworkPolicy'))
    for (const { ports } of spec.ingress)
      for (const { port } of ports)
        expect(podsOf(spec.podSelector.matchLabels).flatMap(portsOf), metadata.name).toContain(port)
  for (const { metadata, spec } of ofKind('HorizontalPodAutoscaler')) {
    const { kind, name } = spec.scaleTargetRef
    expect(
      ofKind(kind).map((one) => one.metadata.name),
      metadata.name,
    ).toContain(name)
  }
  for (const { spec } of [...ofKind('Deployment'), ...ofKind('StatefulSet')])
    expect(spec.selector.matchLabels).toEqual(spec.template.metadata.labels)
  const [ingress] = ofKind('Ingress')
  expect(`https://${ingress?.['spec'].rules[0].host}`).toBe(shared['ZOETROPE_PUBLIC_URL'])
})

interface AdapterRule {
  readonly seriesQuery: string
  readonly name?: { readonly as: string }
}

test('the adapter of Prometheus serves each metric that an autoscaler needs', () => {
  const { rules } = readYaml('kubernetes/prometheus-adapter.yaml') as {
    rules: Readonly<Record<'custom' | 'external', readonly AdapterRule[]>>
  }
  const served = (of: 'custom' | 'external'): Set<unknown> =>
    new Set(rules[of].map(({ seriesQuery, name }) => name?.as ?? seriesQuery.split('{')[0]))
  const needed = (type: 'pods' | 'external'): Set<unknown> =>
    new Set(
      ofKind('HorizontalPodAutoscaler')
        .flatMap(({ spec }) => spec.metrics)
        .flatMap((metric) => (metric[type] === undefined ? [] : [metric[type].metric.name])),
    )
  const sources = globSync('server/src/**/*.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  const read = [...rules.custom, ...rules.external].map(({ seriesQuery }) => seriesQuery.split('{')[0] ?? '')
  expect(read.filter((name) => !sources.some((source) => source.includes(`'${name}'`)))).toEqual([])
  expect(served('custom')).toEqual(needed('pods'))
  expect(served('external')).toEqual(needed('external'))
})

const kustomizations = globSync('kubernetes/*/kustomization.yaml', { cwd: deployFolder }).map((path) => ({
  path,
  ...(readYaml(path) as Readonly<Record<string, unknown>>),
}))

test('kustomizations and the rules of prometheus-adapter have only known fields', () => {
  const fields = ['apiVersion', 'kind', 'labels', 'images', 'resources', 'patches']
  for (const { path, ...fieldsOf } of kustomizations)
    expect(
      Object.keys(fieldsOf).filter((name) => !fields.includes(name)),
      path,
    ).toEqual([])
  const { rules, ...others } = readYaml('kubernetes/prometheus-adapter.yaml') as {
    rules: Readonly<Record<string, unknown>>
  }
  expect([others, Object.keys(rules)]).toEqual([{}, ['default', 'custom', 'external']])
  const ofRule = ['seriesQuery', 'resources', 'name', 'metricsQuery']
  for (const rule of [rules['custom'], rules['external']].flat() as object[])
    expect(Object.keys(rule).filter((name) => !ofRule.includes(name))).toEqual([])
})

/** All values below fields of this name. */
const valuesOf = (within: unknown, field: string): unknown[] =>
  typeof within !== 'object' || within === null
    ? []
    : Object.entries(within).flatMap(([name, value]) => [
        ...(name === field ? [value] : []),
        ...valuesOf(value, field),
      ])

test('quantities are valid, and no container requests more than its limit', () => {
  const quantity = /^(\d+)(m|Mi|Gi)?$/
  const sizes = ['requests', 'limits']
    .flatMap((field) => valuesOf(manifests, field))
    .flatMap((one) => Object.values(one as object))
  const all = [...sizes, ...valuesOf(manifests, 'sizeLimit'), ...valuesOf(manifests, 'averageValue')]
  expect(all.filter((one) => !quantity.test(String(one)))).toEqual([])
  const bytesOf = (text: string): number => {
    const [, count, unit] = quantity.exec(text) ?? []
    return Number(count) * (unit === 'Gi' ? 1024 : 1)
  }
  for (const { requests, limits } of valuesOf(workloads, 'resources') as {
    requests: { memory: string }
    limits?: { memory: string }
  }[])
    if (limits !== undefined) expect(bytesOf(requests.memory)).toBeLessThanOrEqual(bytesOf(limits.memory))
})

interface JsonPatch {
  readonly op: string
  readonly path: string
  readonly value: unknown
}

test('the component for RTMPS opens its port everywhere, with settings and fields that exist', () => {
  const { patches } = kustomizations.find(({ path }) => path.includes('rtmps')) as unknown as {
    patches: { target: { kind: string; name: string }; patch: string }[]
  }
  const patched = patches.map(({ target, patch }) => {
    const found = ofKind(target.kind).find(({ metadata }) => metadata.name === target.name)
    const copy = structuredClone(found) as Manifest
    for (const { op, path, value } of parse(patch) as JsonPatch[]) {
      const names = path.split('/').slice(1)
      // oxlint-disable-next-line typescript/no-explicit-any
      const list = names.slice(0, -1).reduce<any>((within, name) => within[name], copy)
      expect([op, names.at(-1), Array.isArray(list)], path).toEqual(['add', '-', true])
      list.push(value)
    }
    return copy
  })
  expect(typeErrors({ 'patched.ts': sourceOf(patched) })).toBe('')
  const [live, service, policy] = patched as [Manifest, Manifest, Manifest]
  const [container] = live.spec.template.spec.containers as PodSpec['containers']
  expect(container?.ports?.at(-1)).toEqual({ name: 'rtmps', containerPort: 1936 })
  expect(service.spec.ports.at(-1).targetPort).toBe('rtmps')
  expect(policy.spec.ingress[0].ports.at(-1).port).toBe('rtmps')
  const env = Object.fromEntries((container?.env ?? []).map(({ name, value = '' }) => [name, value]))
  expect(faultsOfSettings({ ...shared, ...env })).toEqual([])
  expect(env['ZOETROPE_RTMPS_PORT']).toBe('1936')
  const mount = container?.volumeMounts.at(-1)
  expect(live.spec.template.spec.volumes.at(-1).name).toBe(mount?.name)
  for (const name of ['ZOETROPE_TLS_CERT', 'ZOETROPE_TLS_KEY'])
    expect(env[name]).toContain(`${mount?.mountPath}/`)
})

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0

test.runIf(hasKubectl).each(['base', 'migrate', 'admin'])(
  'kubectl renders %s with our image and labels',
  (name) => {
    const folder = join(deployFolder, 'kubernetes', name)
    const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
    const rendered = parseAllDocuments(text).map((document) => document.toJS() as Manifest)
    const written = manifests.filter(({ path }) => path.startsWith(`kubernetes/${name}/`))
    const namesOf = (all: readonly Manifest[]): string[] =>
      all.map((one) => `${one.kind} ${one.metadata.name}`).sort()
    expect(namesOf(rendered)).toEqual(namesOf(written))
    const images = [...text.matchAll(/image: (.*)/g)].map(([, image]) => image)
    expect(new Set(images)).toEqual(new Set(['registry.example.com/zoetrope:0.1.0']))
    for (const { spec } of rendered.filter(({ kind }) => kind === 'Deployment'))
      expect(spec.selector.matchLabels['app.kubernetes.io/name']).toBe('zoetrope')
  },
)

test.runIf(hasKubectl)('kubectl adds RTMPS to an overlay of the base', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zoetrope-overlay-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = (name: string): string => relative(folder, join(deployFolder, 'kubernetes', name))
  const overlay = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [at('base')],
    components: [at('rtmps')],
  }
  writeFileSync(join(folder, 'kustomization.yaml'), JSON.stringify(overlay))
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' })
  expect(text.match(/name: rtmps$/gm)).toHaveLength(2)
  expect(text).toContain('secretName: zoetrope-ingest-tls')
})
