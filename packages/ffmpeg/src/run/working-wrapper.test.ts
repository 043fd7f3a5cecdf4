import { expect, test } from 'vitest'
import { createWrapper, runWithoutOutput } from './working-wrapper.ts'

const failure = (code: string) => ({ status: null, error: Object.assign(new Error(code), { code }) })

test('a wrapper that a full machine cannot start is used, and tried again', () => {
  const results = [failure('EAGAIN'), { status: null }, { status: 0 }]
  let runs = 0
  const wrapper = createWrapper(() => results[runs++]!)
  for (let index = 0; index < 4; index += 1)
    expect(wrapper('prlimit', '--core=0')).toEqual(['prlimit', '--core=0'])
  expect(runs).toBe(3)
})

test.each([
  ['is missing', failure('ENOENT')],
  ['does not know the option', { status: 1 }],
])('a wrapper that %s is never used', (_why, result) => {
  let runs = 0
  const wrapper = createWrapper(() => {
    runs += 1
    return result
  })
  expect([wrapper('setpriv', '--pdeathsig', 'KILL'), wrapper('setpriv', '--pdeathsig', 'KILL')]).toEqual([
    [],
    [],
  ])
  expect(runs).toBe(1)
})

test('real programs are tried with `true`', () => {
  const wrapper = createWrapper(runWithoutOutput(() => process.env))
  expect(wrapper('nice', '-n', '1')).toEqual(['nice', '-n', '1'])
  expect(wrapper('nice', '--unknown-option')).toEqual([])
  expect(wrapper('no-such-program')).toEqual([])
})
