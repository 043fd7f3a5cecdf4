import { parseArgs } from 'node:util'

/** Quick checks first. Bundles are built before the tests that load them in a browser. */
const steps = ['format', 'types', 'lint', 'deadcode', 'audit', 'build', 'tests'] as const
export type StepName = (typeof steps)[number]

export interface Plan {
  readonly steps: readonly StepName[]
  readonly vitestArguments: readonly string[]
  /** Whether to run only the tests that the changed files call for. */
  readonly isOnlyChanged: boolean
}

const isStep = (name: string): name is StepName => (steps as readonly string[]).includes(name)

/**
 * Tests in a browser build a stale bundle themselves, so a selection of tests needs no build. The audit depends on
 * the packages and not on the change.
 */
const ofSelection = steps.filter((step) => step !== 'build' && step !== 'audit')

/** Turns the arguments of `./zoetrope test` into steps. Throws a message for the user when they are wrong. */
export const parsePlan = (args: readonly string[]): Plan => {
  const { values, positionals: files } = parseArgs({
    args: [...args],
    options: { only: { type: 'string' }, quick: { type: 'boolean' }, changed: { type: 'boolean' } },
    allowPositionals: true,
  })
  const { only, quick = false, changed = false } = values
  if ([only !== undefined, quick, changed, files.length > 0].filter(Boolean).length > 1)
    throw new Error('Use only one of --only, --quick, --changed and test files.')
  const plan = { steps, vitestArguments: [], isOnlyChanged: false }
  if (quick)
    return { ...plan, steps: ofSelection, vitestArguments: ['--project', 'unit', '--project', 'api'] }
  if (changed) return { ...plan, steps: ofSelection, isOnlyChanged: true }
  if (files.length > 0) return { ...plan, steps: ['tests'], vitestArguments: files }
  if (only === undefined) return plan
  if (!isStep(only)) throw new Error(`There is no step "${only}". Use one of ${steps.join(', ')}.`)
  return { ...plan, steps: [only] }
}
