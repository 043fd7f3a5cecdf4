import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { findProgram } from '../support/find-program.ts'
import { findFreePort } from '../support/free-port.ts'
import { request } from '../support/test-server.ts'
import { createInstallation, type Installation } from './installation.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8')
const processes = ['api', 'worker', 'live'] as const
type Process = (typeof processes)[number]

interface Metric {
  readonly type: string
  readonly help: string
  /** Null if no process serves a value: labels are unknown then. */
  labels: string | null
  readonly servedBy: Set<Process>
}

let installation: Installation
const metrics = new Map<string, Metric>()

const labelsIn = (text: string): string[] => [...text.matchAll(/(\w+)="/g)].map(([, name = '']) => name)

const addScrape = (role: Process, text: string): void => {
  const helps = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, help, sentence = ''] = /^# HELP (\S+) (.+)$/.exec(line) ?? []
    if (help !== undefined) helps.set(help, sentence)
    const [, typed, type = ''] = /^# TYPE (\S+) (\w+)$/.exec(line) ?? []
    if (typed !== undefined) {
      const known = metrics.get(typed)
      if (known === undefined)
        metrics.set(typed, { type, help: helps.get(typed) ?? '', labels: null, servedBy: new Set([role]) })
      else known.servedBy.add(role)
    }
    const [, sample, labels = ''] = /^(zoetrope_\w+)(?:\{(.*)\})? \S+$/.exec(line) ?? []
    const metric = sample === undefined ? undefined : metricOf(sample)
    if (metric !== undefined)
      metric.labels = labelsIn(labels)
        .filter((name) => name !== 'le')
        .sort()
        .join(', ')
  }
}

/** Also finds the metric of the samples of a histogram or summary. */
const metricOf = (sample: string): Metric | undefined => {
  const exact = metrics.get(sample)
  if (exact !== undefined) return exact
  const parent = metrics.get(sample.replace(/_(bucket|sum|count)$/, ''))
  return parent?.type === 'histogram' || parent?.type === 'summary' ? parent : undefined
}

beforeAll(async () => {
  const [workerPort, livePort] = [await findFreePort(), await findFreePort()]
  installation = await createInstallation({
    ZOETROPE_METRICS_TOKEN: 'of-prometheus',
    ZOETROPE_WORKER_PORT: String(workerPort),
    ZOETROPE_LIVE_HEALTH_PORT: String(livePort),
  })
  await installation.start()
  await installation.call('GET', '/projects')
  const ports = { api: new URL(installation.url).port, worker: workerPort, live: livePort }
  for (const role of processes) {
    const scrape = () =>
      request(`http://127.0.0.1:${ports[role]}/metrics`, 'GET', { apiKey: 'of-prometheus' })
    // Workers and live nodes may still be starting. The second scrape counts the first.
    while ((await scrape().catch(() => null))?.status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 50))
    addScrape(role, (await scrape()).body)
  }
})

afterAll(() => installation.remove())

interface Row {
  readonly type: string
  readonly unit: string
  readonly labels: string
  readonly servedBy: string
  readonly help: string
}

const readRows = async (): Promise<Map<string, Row>> => {
  const rows = (await read('docs/metrics.md')).matchAll(
    /^\| `(zoetrope_\w+)` \| (\w+) \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$/gm,
  )
  return new Map(
    [...rows].map(([, name = '', type = '', unit = '', labels = '', servedBy = '', help = '']) => [
      name,
      { type, unit, labels: labels.replaceAll('`', ''), servedBy, help },
    ]),
  )
}

const unitOf = (name: string): string => {
  const [, unit] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return unit ?? ''
}

test('docs/metrics.md lists every metric that a process serves, with its type, unit, labels and help', async () => {
  const rows = await readRows()
  const expected = [...metrics].map(([name, { type, help, labels, servedBy }]) => ({
    name,
    type,
    unit: unitOf(name),
    labels: labels ?? rows.get(name)?.labels,
    servedBy: processes.filter((one) => servedBy.has(one)).join(', '),
    help,
  }))
  const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
  expect([...rows].map(([name, row]) => ({ name, ...row })).sort(byName)).toEqual(expected.sort(byName))
})

test('metrics follow the conventions of Prometheus: names, base units, a sentence as help', () => {
  const wrong = [...metrics]
    // prom-client itself names these two.
    .filter(([name]) => !/^zoetrope_nodejs_active_\w+_total$/.test(name))
    .filter(
      ([name, { type, help }]) =>
        !/^zoetrope_[a-z0-9_]+$/.test(name) ||
        (type === 'counter') !== name.endsWith('_total') ||
        /_(ms|milliseconds|kb|mb|percent)(_|$)/.test(name) ||
        (!/^zoetrope_(nodejs|process)_/.test(name) && !/^[A-Z].*\.$/.test(help)),
    )
  expect(wrong).toEqual([])
})

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly for: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string }
}

const readAlerts = async (): Promise<Alert[]> =>
  (parse(await read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  )

const expressionsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(expressionsIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    (key === 'expr' || key === 'query') && typeof inner === 'string' ? [inner] : expressionsIn(inner),
  )
}

/** What Prometheus adds to each sample. */
const scrapeLabels = ['instance', 'job', 'le']

const faultsIn = (expression: string, rows: ReadonlyMap<string, Row>): string[] => {
  const labels = new Set(scrapeLabels)
  const faults: string[] = []
  for (const [, sample = '', matchers = ''] of expression.matchAll(/\b(zoetrope_\w+)(?:\{([^}]*)\})?/g)) {
    const metric = metricOf(sample)
    if (metric === undefined) {
      faults.push(`no metric ${sample}`)
      continue
    }
    if (metric.type === 'histogram' && metrics.has(sample)) faults.push(`${sample} is a histogram`)
    const name = [...metrics].find(([, one]) => one === metric)?.[0] ?? ''
    const own = (rows.get(name)?.labels ?? '').split(', ')
    for (const label of own) labels.add(label)
    for (const [, label = ''] of matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g))
      if (![...own, ...scrapeLabels].includes(label)) faults.push(`${sample} has no label ${label}`)
  }
  for (const [, list = ''] of expression.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of list.split(', ')) if (!labels.has(label)) faults.push(`no label ${label}`)
  return faults.map((fault) => `${fault}: ${expression}`)
}

test('dashboards and alerts use only metrics and labels that the product serves', async () => {
  const rows = await readRows()
  const dashboards = (await readdir(new URL('deploy/grafana/', root))).filter((name) =>
    name.endsWith('.json'),
  )
  expect(dashboards.length).toBeGreaterThan(2)
  const expressions = (await readAlerts()).map(({ expr }) => expr)
  for (const name of dashboards) {
    const found = expressionsIn(JSON.parse(await read(`deploy/grafana/${name}`)))
    expect(found.length, name).toBeGreaterThan(5)
    expressions.push(...found)
  }
  expect(expressions.flatMap((expression) => faultsIn(expression, rows))).toEqual([])
})

test('each alert has a severity, a description and a section of docs/monitoring.md', async () => {
  const page = await read('docs/monitoring.md')
  const anchors = [...page.matchAll(/^#{2,3} (.+)$/gm)].map(
    ([, title = '']) => `docs/monitoring.md#${title.toLowerCase().replaceAll(' ', '-')}`,
  )
  const alerts = await readAlerts()
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length)
  for (const { alert, labels, annotations } of alerts) {
    expect(alert).toMatch(/^Zoetrope[A-Z]\w+$/)
    expect(['critical', 'warning'], alert).toContain(labels.severity)
    expect(annotations.summary, alert).toMatch(/^[A-Z].{5,80}[^.]$/)
    expect(annotations.description, alert).toMatch(/^.{20,}\.$/)
    expect(anchors, alert).toContain(annotations.runbook)
  }
})

const promtool = await findProgram('promtool')

test.skipIf(promtool === null)('promtool accepts the alert rules and the configuration', async () => {
  const folder = fileURLToPath(new URL('deploy/prometheus/', root))
  const check = (...words: string[]) =>
    promisify(execFile)(promtool ?? '', ['check', ...words], { cwd: folder })
  await check('rules', '--lint-fatal', 'alerts.yaml')
  await check('config', '--syntax-only', 'prometheus.yaml')
})
