import { describe, expect, test } from 'vitest'
import { FrameLag, usualLag } from './frame-lag.ts'

const key = { isKeyFrame: true }
const other = { isKeyFrame: false }

describe('a lagging encoder', () => {
  test('gets all frames while the lag is short', () => {
    const lag = new FrameLag(usualLag)
    lag.feed(0, 0)
    expect(lag.judge(other, 1_900, 0)).toBe('take')
  })

  test('gets neither the rest of the group nor later groups until it has caught up', () => {
    const lag = new FrameLag(usualLag)
    for (const ms of [0, 40, 80]) lag.feed(ms, ms)
    expect(lag.judge(other, 2_100, 0)).toBe('drop')
    expect(lag.judge(key, 2_140, 0)).toBe('skip')
    lag.comeOut(80)
    expect(lag.judge(other, 2_180, 0)).toBe('skip')
    expect(lag.judge(key, 2_220, 0)).toBe('take')
    expect(lag.judge(other, 2_260, 0)).toBe('take')
  })

  test('counts as stuck after ten seconds', () => {
    const lag = new FrameLag(usualLag)
    lag.feed(0, 0)
    expect(lag.judge(key, 10_001, 0)).toBe('stuck')
  })

  test('is not waited for when a later frame has come out', () => {
    const lag = new FrameLag(usualLag)
    // Fed in decode order: the second frame is shown last.
    for (const [index, shownMs] of [0, 120, 40, 80].entries()) lag.feed(shownMs, index)
    lag.comeOut(80)
    expect(lag.judge(other, 5_000, 0)).toBe('drop')
    lag.comeOut(120)
    expect(lag.judge(key, 5_000, 0)).toBe('take')
  })
})

test('limits the bytes that wait for an encoder', () => {
  const lag = new FrameLag(usualLag)
  expect(lag.judge(key, 0, usualLag.waitingBytes + 1)).toBe('drop')
  expect(lag.judge(key, 0, usualLag.waitingBytes)).toBe('skip')
  expect(lag.judge(key, 0, usualLag.waitingBytes / 2)).toBe('take')
})
