import { expect, it } from 'vitest'
import { parsePlan } from './test-plan.ts'

const everything = ['format', 'types', 'lint', 'deadcode', 'audit', 'build', 'tests']
const ofSelection = everything.filter((step) => step !== 'build' && step !== 'audit')

it.each([
  { args: [], steps: everything, vitestArguments: [], isOnlyChanged: false },
  { args: ['--only', 'lint'], steps: ['lint'], vitestArguments: [], isOnlyChanged: false },
  {
    args: ['--quick'],
    steps: ofSelection,
    vitestArguments: ['--project', 'unit', '--project', 'api'],
    isOnlyChanged: false,
  },
  { args: ['--changed'], steps: ofSelection, vitestArguments: [], isOnlyChanged: true },
  { args: ['a.test.ts'], steps: ['tests'], vitestArguments: ['a.test.ts'], isOnlyChanged: false },
])('plans the steps of "$args"', ({ args, ...plan }) => {
  expect(parsePlan(args)).toEqual(plan)
})

it.each([
  [['--only', 'linting'], 'There is no step "linting". Use one of format, types'],
  [['--quick', '--changed'], 'Use only one of'],
  [['--fast'], "Unknown option '--fast'"],
])('refuses %s with a message', (args, message) => {
  expect(() => parsePlan(args)).toThrow(message)
})
