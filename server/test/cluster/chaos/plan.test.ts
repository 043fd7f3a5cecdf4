import { expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { faults } from './faults.ts'
import { planChaos } from './plan.ts'

const namesOf = (seed: number, minutes: number): string[] =>
  planChaos(createRandom(seed), minutes).map(
    ({ fault, startMs, lengthMs }) => `${fault.name} ${startMs} ${lengthMs}`,
  )

test('a plan of half an hour has every fault, and the same seed gives the same plan', () => {
  const names = new Set(planChaos(createRandom(7), 30).map(({ fault }) => fault.name))
  expect(faults.filter(({ name }) => !names.has(name))).toEqual([])
  expect(namesOf(7, 30)).toEqual(namesOf(7, 30))
  expect(namesOf(7, 30)).not.toEqual(namesOf(8, 30))
})

test('a fault of the database overlaps with no other fault', () => {
  const plan = planChaos(createRandom(3), 60)
  const endOf = ({ startMs, lengthMs }: (typeof plan)[number]): number => startMs + lengthMs
  for (const one of plan.filter(({ fault }) => fault.isAlone === true)) {
    const meanwhile = plan.filter(
      (other) => other !== one && other.startMs < endOf(one) && endOf(other) > one.startMs,
    )
    expect(meanwhile.map(({ fault }) => fault.name)).toEqual([])
  }
})
