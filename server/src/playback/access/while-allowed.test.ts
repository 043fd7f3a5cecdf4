import { expect, test } from 'vitest'
import { nothing } from './find-playout.ts'
import { whileAllowed } from './while-allowed.ts'

const pieces = [Buffer.from('a'), Buffer.from('b'), Buffer.from('c')]
async function* source() {
  yield* pieces
}

test('whileAllowed stops and closes its source when access is withdrawn', async () => {
  let isClosed = false
  async function* closable() {
    try {
      yield* source()
    } finally {
      isClosed = true
    }
  }
  const sent: string[] = []
  const sending = async () => {
    const check = async () => {
      if (sent.length === 2) throw nothing()
    }
    for await (const piece of whileAllowed(closable(), check, 0)) sent.push(piece.toString())
  }
  await expect(sending()).rejects.toMatchObject({ status: 404 })
  expect(sent).toEqual(['a', 'b'])
  expect(isClosed).toBe(true)
})

test('whileAllowed does not check before the interval has passed', async () => {
  let asked = 0
  const check = async () => {
    asked += 1
  }
  expect(await Array.fromAsync(whileAllowed(source(), check, 60_000))).toEqual(pieces)
  expect(asked).toBe(0)
})
