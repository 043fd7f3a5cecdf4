import { expect, test } from 'vitest'
import german from './de.json' with { type: 'json' }
import english from './en.json' with { type: 'json' }
import germanPanels from './panels.de.json' with { type: 'json' }
import englishPanels from './panels.en.json' with { type: 'json' }
import { fill } from './texts.ts'

const shapeOf = (texts: object): string[] =>
  Object.entries(texts).flatMap(([key, text]: [string, unknown]) =>
    typeof text === 'string'
      ? [[key, ...(text.match(/\{\{\w+\}\}/g) ?? []).toSorted()].join(' ')]
      : shapeOf(text as object).map((path) => `${key}.${path}`),
  )

test('English and German have the same keys and placeholders', () => {
  expect(shapeOf(german).toSorted()).toEqual(shapeOf(english).toSorted())
  expect(shapeOf(germanPanels).toSorted()).toEqual(shapeOf(englishPanels).toSorted())
})

test('fills the placeholders of a text', () => {
  expect(fill(english.of, { time: '0:10', length: '1:00' })).toBe('0:10 of 1:00')
})
