import { expect, test } from 'vitest'
import { measuresByDimension, mergeDimensions, nameDimensions } from './view-dimensions.ts'
import { newView, type ViewState } from './view-state.ts'

const view = (changed: Partial<ViewState> = {}): ViewState => ({
  ...newView({
    ...{ kind: 'viewer', viewer: 'a', lengthMs: null, startedAtMs: 0 },
    dimensions: { country: 'DE', player: 'unknown', site: 'direct' },
  }),
  ...changed,
})

test('the first known value of a dimension stays', () => {
  expect(
    mergeDimensions(
      { country: 'DE', player: 'unknown', site: 'direct' },
      { country: 'FR', player: 'hls.js', site: 'www.example.com', page: '/a' },
    ),
  ).toEqual({ country: 'DE', player: 'hls.js', site: 'www.example.com', page: '/a' })
})

test.each([
  ['a session that is no view yet', {}, 'hls.js'],
  ['a view without states', { isView: true }, 'hls.js'],
  ['a view that counts', { isView: true, hasStates: true }, 'unknown'],
])('a later report names the dimensions of %s: %s', (_name, changed, expected) => {
  const state = view(changed)
  nameDimensions(state, { player: 'hls.js' })
  expect(state.dimensions['player']).toBe(expected)
})

test('measures wait until the session counts as a view', () => {
  const state = view({ hasStates: true })
  expect(measuresByDimension(state, { startups: 1, watch_ms: 500 }, { hasEnded: false })).toEqual({})
  state.isView = true
  expect(measuresByDimension(state, { views: 1, watch_ms: 2_000 }, { hasEnded: false })).toEqual({
    ...{ startups: 1, watch_ms: 2_500, views: 1 },
  })
  expect(measuresByDimension(state, { watch_ms: 100 }, { hasEnded: false })).toEqual({ watch_ms: 100 })
})

test('measures of a session that never becomes a view count at its end, once', () => {
  const state = view({ hasStates: true })
  measuresByDimension(state, { failures: 1 }, { hasEnded: false })
  expect(measuresByDimension(state, { exits: 1 }, { hasEnded: true })).toEqual({ failures: 1, exits: 1 })
  expect(measuresByDimension(state, {}, { hasEnded: true })).toEqual({})
})

test('a view that an older process opened continues', () => {
  const { held: _held, ...stored } = view({ isView: true, hasStates: true, held: {} })
  const state: ViewState = stored
  expect(measuresByDimension(state, { watch_ms: 100 }, { hasEnded: false })).toEqual({ watch_ms: 100 })
})
