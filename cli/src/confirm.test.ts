import { setImmediate as turn } from 'node:timers/promises'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { confirm } from './confirm.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'

/** A terminal on which a user types after the question. */
const answerWith = async (typed: string): Promise<number> => {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  const confirmed = confirm('delete project', ['2'], {}, { stdin, stderr } as never)
  const status = confirmed.then(() => exitCodes.done, exitCodeOf)
  await turn()
  stdin.write(typed)
  return status
}

test.each([
  ['y', 'y\r', exitCodes.done],
  ['n', 'n\r', exitCodes.usage],
  ['Ctrl-C', '\u0003', exitCodes.interrupted],
  ['Ctrl-D', '\u0004', exitCodes.usage],
])('a confirmation with %s has its documented exit status', async (_key, typed, status) => {
  expect(await answerWith(typed)).toBe(status)
})
