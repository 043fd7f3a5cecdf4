import { expect, test } from 'vitest'
import { defaultDemand, peakOf } from './demand.ts'
import { makePlan } from './plan.ts'
import { cdnPrice, defaultPrices } from './prices.ts'
import { createRandom, exponential, logNormal } from './random.ts'
import { serversFor, simulateQueue, type QueueOptions } from './simulate-queue.ts'
import { knownCosts } from './unit-costs.ts'

const hour = 3_600

/** Ten jobs a minute of 30 s each: a load of five servers. */
const steady: Omit<QueueOptions, 'servers'> = {
  seed: 7,
  days: 20,
  arrivalsPerDay: 14_400,
  hours: [1],
  service: (random) => exponential(random, 30),
}

/** Mean wait of a queue with random arrivals and exponential times (Erlang C). */
const erlangWait = (load: number, servers: number, seconds: number): number => {
  let term = 1
  let sum = 1
  for (let count = 1; count < servers; count += 1) sum += term *= load / count
  const last = ((term * load) / servers) * (servers / (servers - load))
  return ((last / (sum + last)) * seconds) / (servers - load)
}

test.each([6, 7, 8])('the simulated wait of %i servers is that of the formula of Erlang', (servers) => {
  const { meanWaitSeconds, utilization } = simulateQueue({ ...steady, servers })
  expect(utilization).toBeCloseTo(5 / servers, 1)
  expect(Math.abs(meanWaitSeconds / erlangWait(5, servers, 30) - 1)).toBeLessThan(0.1)
})

test('the same seed gives the same result, and another one nearly the same', () => {
  const first = simulateQueue({ ...steady, servers: 6 })
  expect(simulateQueue({ ...steady, servers: 6 })).toEqual(first)
  const other = simulateQueue({ ...steady, servers: 6, seed: 8 })
  expect(other.jobs).not.toBe(first.jobs)
  expect(Math.abs(other.jobs / first.jobs - 1)).toBeLessThan(0.01)
})

test('a peak of the day needs more servers than its mean', () => {
  const hours = Array.from({ length: 24 }, (_, index) => (index === 20 ? 6 : 1))
  const { servers: even } = serversFor(steady, 5, 5)
  const { servers: peak, result } = serversFor({ ...steady, hours }, 5, 5)
  expect(peak).toBeGreaterThan(2 * even)
  expect(result.p95WaitSeconds).toBeLessThanOrEqual(5)
  expect(simulateQueue({ ...steady, hours, servers: peak - 1 }).p95WaitSeconds).toBeGreaterThan(5)
})

test('log-normal numbers have their mean', () => {
  const random = createRandom(1)
  const count = 200_000
  let sum = 0
  for (let index = 0; index < count; index += 1) sum += logNormal(random, 5, 1)
  expect(Math.abs(sum / count / 5 - 1)).toBeLessThan(0.02)
})

test('the price of a volume is the sum over its tiers', () => {
  expect(cdnPrice(defaultPrices, 1_000)).toBe(5)
  expect(cdnPrice(defaultPrices, 1_500_000)).toBe(2_500 + 2_000 + 1_500)
})

test('each part of a plan grows only with its own demand', () => {
  const demand = { ...defaultDemand, files: 30_000, plays: 1e7, liveStreams: 100, liveViewers: 0 }
  const plan = makePlan(demand, knownCosts, defaultPrices, 1)
  const cpuOfMonth = demand.files * (demand.meanMinutes * knownCosts.encodedMinute.cpu + knownCosts.file.cpu)
  expect(plan.encodes.cores).toBeGreaterThan(cpuOfMonth / (30 * 24 * hour))
  expect(plan.encodes.queue.p95WaitSeconds).toBeLessThanOrEqual(demand.maxEncodeWaitSeconds)
  const played = (1e7 * demand.meanPlayMinutes * 60 * demand.playMegabitsPerSecond) / 8e9
  expect(plan.month.petabytesOfViewers).toBeCloseTo(played)
  expect(plan.peak.playStarts).toBeCloseTo((1e7 / (30 * 24 * hour)) * peakOf(demand))

  const tenfold = makePlan({ ...demand, plays: 1e8 }, knownCosts, defaultPrices, 1)
  expect(tenfold.encodes).toEqual(plan.encodes)
  expect(tenfold.liveNodes).toBe(plan.liveNodes)
  expect(tenfold.month.petabytesOfViewers).toBeCloseTo(10 * plan.month.petabytesOfViewers)
  expect(tenfold.dollars.cdn).toBeGreaterThan(5 * plan.dollars.cdn)
})
