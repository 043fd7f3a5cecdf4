import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { changedFiles } from './changed-files.ts'
import { createImportGraph } from './import-graph.ts'
import { selectTests } from './select-tests.ts'
import { parsePlan, type Plan, type StepName } from './test-plan.ts'
import { findTests } from './test-projects.ts'
import {
  addTotals,
  filesToRepeat,
  formatTotals,
  namesOfFailures,
  totalsAfterRepeat,
  totalsOfReport,
  type Totals,
  type VitestReport,
} from './test-totals.ts'

type CheckName = Exclude<StepName, 'tests'>

const checks: Readonly<Record<CheckName, readonly string[]>> = {
  format: ['oxfmt', '--check'],
  types: ['tsc', '--noEmit'],
  lint: ['oxlint', '--type-aware', '--deny-warnings'],
  deadcode: ['knip'],
  audit: ['npm', 'run', '--silent', 'audit'],
  build: ['npm', 'run', 'build'],
}

const root = fileURLToPath(new URL('..', import.meta.url))
const env = { ...process.env, PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter) }
const nothing: Totals = { passed: 0, failed: 0, skipped: 0, flaky: 0 }

const main = async (plan: Plan): Promise<number> => {
  const checkNames = plan.steps.filter((step) => step !== 'tests')
  const results = [await runChecks(checkNames)]
  if (plan.steps.includes('tests')) results.push(await runTests(argumentsOf(plan)))
  const totals = results.reduce(addTotals, nothing)
  console.log(formatTotals(totals))
  return totals.failed > 0 ? 1 : 0
}

/** Returns the arguments of vitest, or null when a change calls for no test. */
const argumentsOf = ({ vitestArguments, isOnlyChanged }: Plan): readonly string[] | null => {
  if (!isOnlyChanged) return vitestArguments
  const files = selectTests(changedFiles(root), findTests(root), createImportGraph(root))
  return files.length === 0 ? null : [...vitestArguments, ...files]
}

/** Runs each check even if an earlier one failed. */
const runChecks = async (names: readonly CheckName[]): Promise<Totals> => {
  let totals = nothing
  for (const name of names) totals = addTotals(totals, await runCheck(name))
  return totals
}

/** Counts as one test and prints its output on failure. */
const runCheck = async (name: CheckName): Promise<Totals> => {
  const startedAt = performance.now()
  const { code, output } = await run(checks[name], 'pipe')
  const isPassed = code === 0
  // A skipped audit passes with a warning.
  if (!isPassed || name === 'audit') process.stdout.write(output)
  report(name, startedAt, isPassed)
  return { ...nothing, passed: isPassed ? 1 : 0, failed: isPassed ? 0 : 1 }
}

/**
 * On a shared machine, one of five thousand tests with real processes and browsers may fail because of other
 * load. So a few failed files run once more, alone; tests that pass then are listed as flaky, to be fixed. A
 * real fault fails twice.
 */
const runTests = async (args: readonly string[] | null): Promise<Totals> => {
  if (args === null) {
    console.log('no test covers these changes')
    return nothing
  }
  const startedAt = performance.now()
  const { report: first, totals: once } = await runVitest(args)
  const files = filesToRepeat(first)
  let totals = once
  if (first && once.failed > 0 && files.length > 0) {
    const failures = namesOfFailures(first)
    console.log(`\nretrying alone: ${files.join(', ')}\n`)
    totals = totalsAfterRepeat(once, (await runVitest([...files, '--maxWorkers=1'])).totals)
    if (totals.flaky > 0) for (const name of failures) console.log(`FLAKY   ${name}`)
  }
  report('tests', startedAt, totals.failed === 0)
  return totals
}

const runVitest = async (
  args: readonly string[],
): Promise<{ report: VitestReport | undefined; totals: Totals }> => {
  const folder = await mkdtemp(join(tmpdir(), 'zoetrope-report-'))
  try {
    const file = join(folder, 'report.json')
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
    const { code } = await run(['vitest', 'run', ...reporters, ...args], 'inherit')
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const written = text === undefined ? undefined : (JSON.parse(text) as VitestReport)
    return { report: written, totals: totalsOfReport(written, code) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const report = (name: string, startedAt: number, isPassed: boolean): void => {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${isPassed ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`)
}

/** A killed child gets the exit code that a shell would report. */
const run = (
  [command = '', ...args]: readonly string[],
  output: 'pipe' | 'inherit',
): Promise<{ code: number; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', output, output] })
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.once('error', reject)
    child.once('close', (code, signal) =>
      resolve({
        code: code ?? 128 + (signal ? constants.signals[signal] : 0),
        output: Buffer.concat(chunks).toString(),
      }),
    )
  })

try {
  process.exitCode = await main(parsePlan(process.argv.slice(2)))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
