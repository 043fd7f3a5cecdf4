import { expect, test } from 'vitest'
import { shareLink } from './share-link.ts'

test.each([
  ['https://a.example/embed/x', 83.9, 'https://a.example/embed/x?t=83'],
  ['https://a.example/show?a=b#top', 5, 'https://a.example/show?a=b&t=5#top'],
  ['https://a.example/show?t=9', null, 'https://a.example/show'],
  ['https://a.example/show', 0.4, 'https://a.example/show'],
])('shares %s from second %s as %s', (address, seconds, link) => {
  expect(shareLink(address, seconds)).toBe(link)
})
