import { createRandom, exponential } from './random.ts'

const daySeconds = 86_400

export interface QueueOptions {
  readonly seed: number
  readonly days: number
  readonly arrivalsPerDay: number
  /** Relative load of each hour of a day. */
  readonly hours: readonly number[]
  readonly servers: number
  /** Seconds that one job keeps one server busy. */
  readonly service: (random: () => number) => number
}

export interface QueueResult {
  readonly jobs: number
  /** Part of the time in which a server is busy. */
  readonly utilization: number
  readonly meanWaitSeconds: number
  readonly p95WaitSeconds: number
  readonly longestQueue: number
}

/** A binary heap of times: the soonest is at index 0. */
const replaceSoonest = (heap: Float64Array, time: number): void => {
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && (heap[child + 1] ?? 0) < (heap[child] ?? 0)) child += 1
    if ((heap[child] ?? 0) >= time) break
    heap[index] = heap[child] ?? 0
    index = child
  }
  heap[index] = time
}

/**
 * One queue before several servers, first come first served. Arrivals are random (Poisson) with the rate of the hour, so
 * averages do not hide what waits at the peak of a day.
 */
export const simulateQueue = (options: QueueOptions): QueueResult => {
  const { days, arrivalsPerDay, hours, servers, service } = options
  const random = createRandom(options.seed)
  const meanHour = hours.reduce((sum, hour) => sum + hour, 0) / hours.length
  const peak = Math.max(...hours) / meanHour
  const perSecond = arrivalsPerDay / daySeconds
  const freeAt = new Float64Array(servers)
  const waits: number[] = []
  const startsOfWaiting: number[] = []
  let busySeconds = 0
  let longestQueue = 0
  let oldest = 0
  // Arrivals at the highest rate, of which the part that exceeds the rate of the hour is left out.
  for (let at = 0; ;) {
    at += exponential(random, 1 / (perSecond * peak))
    if (at >= days * daySeconds) break
    const hour = Math.floor((at % daySeconds) / (daySeconds / hours.length))
    if (random() * peak > (hours[hour] ?? 0) / meanHour) continue
    const startsAt = Math.max(at, freeAt[0] ?? 0)
    const seconds = service(random)
    replaceSoonest(freeAt, startsAt + seconds)
    busySeconds += seconds
    waits.push(startsAt - at)
    startsOfWaiting.push(startsAt)
    while ((startsOfWaiting[oldest] ?? Infinity) <= at) oldest += 1
    longestQueue = Math.max(longestQueue, startsOfWaiting.length - oldest)
  }
  const sorted = waits.toSorted((a, b) => a - b)
  return {
    jobs: waits.length,
    utilization: busySeconds / (servers * days * daySeconds),
    meanWaitSeconds: waits.reduce((sum, wait) => sum + wait, 0) / Math.max(1, waits.length),
    p95WaitSeconds: sorted[Math.floor(0.95 * sorted.length)] ?? 0,
    longestQueue,
  }
}

/** The smallest number of servers with which 95 % of the jobs wait at most so long. */
export const serversFor = (
  options: Omit<QueueOptions, 'servers'>,
  maxP95WaitSeconds: number,
  least: number,
): { readonly servers: number; readonly result: QueueResult } => {
  const resultOf = (servers: number): QueueResult => simulateQueue({ ...options, servers })
  const isEnough = (servers: number): boolean => resultOf(servers).p95WaitSeconds <= maxP95WaitSeconds
  let [low, high] = [Math.max(1, least), Math.max(1, least)]
  while (!isEnough(high)) [low, high] = [high + 1, 2 * high]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return { servers: low, result: resultOf(low) }
}
