import { describe, expect, it } from 'vitest'
import { newMessage } from '../../../platform/base/message.ts'
import {
  afterAttempt,
  allowedInFlight,
  isGivenUp,
  isWorthNoting,
  neverTried,
  type AttemptOfEndpoint,
  type EndpointHealth,
} from './endpoint-health.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const at = (seconds: number): Date => new Date(start + 1000 * seconds)

const attempt = (seconds: number, isDelivered: boolean): AttemptOfEndpoint => ({
  isDelivered,
  startedAt: at(seconds),
  durationMs: 0,
  statusCode: isDelivered ? 200 : 503,
  error: isDelivered ? null : newMessage('receiver_answered', { status: 503 }),
})
const failures = (health: EndpointHealth, ...seconds: number[]): EndpointHealth =>
  seconds.reduce((before, second) => afterAttempt(before, attempt(second, false)), health)
const tenSeconds = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
const paused = failures(neverTried, ...tenSeconds)

describe('circuit breaker', () => {
  it('pauses for 30 seconds at the tenth failure in a row, not at the ninth', () => {
    expect(failures(neverTried, ...tenSeconds.slice(1)).pausedUntil).toBeNull()
    expect(paused).toMatchObject({ failuresInRow: 10, pausedUntil: at(39), pauseCount: 1 })
  })

  it('restarts the count after each success', () => {
    const nine = failures(neverTried, ...tenSeconds.slice(1))
    const mended = afterAttempt(nine, attempt(10, true))
    expect(mended).toMatchObject({ failuresInRow: 0, failingSince: null, lastSuccessAt: at(10) })
    expect(failures(mended, ...tenSeconds.slice(1)).pausedUntil).toBeNull()
  })

  it('doubles the pause after each failed probe, up to half an hour', () => {
    let health = paused
    const pauses: number[] = []
    for (let probe = 0; probe < 8; probe += 1) {
      const triedAt = health.pausedUntil as Date
      health = failures(health, (triedAt.getTime() - start) / 1000)
      pauses.push(((health.pausedUntil as Date).getTime() - triedAt.getTime()) / 1000)
    }
    expect(pauses).toEqual([60, 120, 240, 480, 960, 1_800, 1_800, 1_800])
  })

  it('ignores requests that were in flight when the pause began', () => {
    expect(failures(paused, 9, 9, 20)).toMatchObject({
      failuresInRow: 13,
      pausedUntil: at(39),
      pauseCount: 1,
    })
  })

  it('ends its pause at any success and starts the next one at 30 seconds', () => {
    const mended = afterAttempt(failures(paused, 39), attempt(99, true))
    expect(mended).toMatchObject({ pausedUntil: null, pauseCount: 0 })
    expect(failures(mended, ...tenSeconds.map((second) => 100 + second)).pausedUntil).toEqual(at(139))
  })

  it('blocks all requests during the pause and allows one at a time after it', () => {
    expect(allowedInFlight(neverTried, at(0), 16)).toBe(16)
    expect(allowedInFlight(paused, at(38.999), 16)).toBe(0)
    expect(allowedInFlight(paused, at(39), 16)).toBe(1)
  })
})

it('afterAttempt restarts the failure count after 30 hours without requests', () => {
  const lastAt = 9 + 30 * 3_600
  expect(failures(paused, lastAt)).toMatchObject({ failuresInRow: 11, failingSince: at(0) })
  expect(failures(paused, lastAt + 1)).toMatchObject({ failuresInRow: 1, failingSince: at(lastAt + 1) })
})

describe('isGivenUp', () => {
  const days = (count: number): number => count * 86_400
  const eachDay = [1, 2, 3, 4].map(days)
  const slowly = tenSeconds.map((index) => index * 29 * 3_600)

  it.each([
    ['five days of nothing but failures', failures(paused, ...eachDay, days(5)), true],
    ['a moment less', failures(paused, ...eachDay, days(5) - 1), false],
    ['one failure long after ten others', failures(paused, days(6)), false],
    ['ten failures as far from each other as the schedule makes them', failures(neverTried, ...slowly), true],
    ['a success in between', failures(afterAttempt(paused, attempt(60, true)), days(4), days(5)), false],
    ['few failures, far from each other', failures(neverTried, 0, days(3), days(6)), false],
    ['no failure at all', neverTried, false],
  ])('%s', (_name, health, expected) => {
    expect(isGivenUp(health)).toBe(expected)
  })
})

describe('isWorthNoting', () => {
  const healthy = afterAttempt(neverTried, attempt(0, true))

  it.each([
    ['the first success', neverTried, attempt(0, true), true],
    ['another success within a second', healthy, attempt(0.9, true), false],
    ['one a second later', healthy, attempt(1, true), true],
    ['a failure', healthy, attempt(0.1, false), true],
    ['the success after a failure', failures(healthy, 0.1), attempt(0.2, true), true],
    ['a success of who was asked to start afresh in a pause', paused, attempt(39, true), true],
  ])('%s', (_name, health, one, expected) => {
    expect(isWorthNoting(health, one)).toBe(expected)
  })
})
