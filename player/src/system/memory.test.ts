import { expect, test } from 'vitest'
import { usualLook } from '../ui/caption-look.ts'
import { createMemory } from './memory.ts'

const createStorage = (text: string | null = null) => {
  let stored = text
  return {
    getItem: () => stored,
    setItem: (_key: string, value: string) => {
      stored = value
    },
    text: () => stored,
  }
}

test('values outlast the page', () => {
  const storage = createStorage()
  createMemory(true, () => storage).keep({ volume: 0.5, captions: null })
  createMemory(true, () => storage).keep({ captionLook: usualLook })
  expect(createMemory(true, () => storage).read()).toEqual({
    volume: 0.5,
    captions: null,
    captionLook: usualLook,
  })
})

test('two players of one page keep different values', () => {
  const storage = createStorage()
  const [one, other] = [createMemory(true, () => storage), createMemory(true, () => storage)]
  one.keep({ volume: 0.5 })
  other.keep({ isTheatre: true })
  expect(JSON.parse(storage.text() ?? '')).toEqual({ volume: 0.5, isTheatre: true })
})

test.each([
  'nonsense',
  'null',
  '[]',
  '7',
  '{"volume":2,"isMuted":"yes","captions":7,"captionLook":{"size":"giant"},"__proto__":{"volume":1},"id":"x"}',
])('ignores the invalid stored text %s', (text) => {
  expect(createMemory(true, () => createStorage(text)).read()).toEqual({})
})

test('stores nothing without permission', () => {
  const storage = createStorage('{"volume":0.5}')
  const memory = createMemory(false, () => storage)
  expect(memory.read()).toEqual({})
  memory.keep({ volume: 0.7 })
  expect(memory.read()).toEqual({ volume: 0.7 })
  expect(storage.text()).toBe('{"volume":0.5}')
})

test('keeps values for the page when the browser blocks storage', () => {
  const memory = createMemory(true, () => {
    throw new DOMException('blocked', 'SecurityError')
  })
  memory.keep({ isMuted: true })
  expect(memory.read()).toEqual({ isMuted: true })
})
