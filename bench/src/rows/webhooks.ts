import { request } from 'undici'
import { startServer } from '../harness/child.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { interleave, percentile } from '../harness/measure.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { sharedClockMs } from '../content/shared-clock.ts'
import type { Arrival } from '../processes/webhook-receiver.ts'

const perSecond = 200
/** Events of one file wait for each other; those of different files do not. */
const fileCount = 400
const arrivalTimeoutMs = 30_000

interface Receiver {
  readonly url: string
  /** Resolves with the arrival of the event or request with this mark. */
  readonly arrivalOf: (mark: string) => Promise<Arrival>
}

/**
 * Compares two times: from the response to the PUT, which follows the commit, to the arrival of its event at
 * a receiver, and that of a bare POST.
 */
export const measureWebhooks = async (context: BenchContext): Promise<Row[]> => {
  const receiver = await startReceiver(context)
  const product = await startProduct(context, await makeFolder(context, 'data'), {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    OUTBOUND_ALLOW_HTTP: '1',
  })
  const metadataPaths = await makeFiles(product)
  await product.call('POST', '/modules/notifications', {
    TargetURL: `${receiver.url}/hook`,
    EventTypes: ['file.updated'],
  })

  const [rounds, seconds] = context.isQuick ? [2, 3] : [4, 6]
  context.say(`${rounds} pairs of ${seconds} s at ${perSecond} events/s`)
  let count = 0
  const latencyOfEvent = async (): Promise<number> => {
    const mark = `mark-${(count += 1)}-`
    await product.call('PUT', metadataPaths[count % fileCount] ?? '', { Title: mark })
    const answeredMs = sharedClockMs()
    return (await receiver.arrivalOf(mark)).atMs - answeredMs
  }
  const sample = await sampleArrival(product, receiver, metadataPaths[0] ?? '')
  const latencyOfPost = async (): Promise<number> => {
    const mark = `mark-${(count += 1)}-`
    const sentMs = sharedClockMs()
    const { statusCode, body } = await request(`${receiver.url}/hook`, {
      method: 'POST',
      headers: sample.headers,
      body: sample.body.replace(sampleMark, mark),
    })
    await body.dump()
    if (statusCode !== 200) throw new Error(`The receiver answered ${statusCode}.`)
    return (await receiver.arrivalOf(mark)).atMs - sentMs
  }
  await atSteadyRate(perSecond, latencyOfEvent)
  const results = await interleave(rounds, {
    product: () => atSteadyRate(perSecond * seconds, latencyOfEvent),
    bare: () => atSteadyRate(perSecond * seconds, latencyOfPost),
  })
  const events = results.product.flat()
  const bare = results.bare.flat()
  const row = (percent: number): Row =>
    makeRow({
      name: `commit to webhook received, p${percent}`,
      value: percentile(events, percent),
      unit: 'ms',
      limit: { name: 'bare undici POST', value: percentile(bare, percent) },
      goal: { of: 'value', atMost: percent === 50 ? 30 : 100 },
      note: `${events.length} events at ${perSecond}/s`,
    })
  return [row(50), row(99)]
}

const sampleMark = 'mark-sample-'

const sampleArrival = async (
  product: Product,
  receiver: Receiver,
  path: string,
): Promise<{ headers: Record<string, string>; body: string }> => {
  await product.call('PUT', path, { Title: sampleMark })
  const { headers, body } = await receiver.arrivalOf(sampleMark)
  const kept = Object.entries(headers).filter(([name]) => /^(content-type|user-agent|webhook-)/.test(name))
  return { headers: Object.fromEntries(kept) as Record<string, string>, body }
}

const startReceiver = async (context: BenchContext): Promise<Receiver> => {
  const server = await startServer<{ port: number }, Arrival>('webhook-receiver', {})
  context.defer(server.stop)
  const arrivals = new Map<string, PromiseWithResolvers<Arrival>>()
  const entryOf = (mark: string): PromiseWithResolvers<Arrival> => {
    const entry = arrivals.get(mark) ?? Promise.withResolvers<Arrival>()
    arrivals.set(mark, entry)
    return entry
  }
  server.onMessage((arrival) => entryOf(/mark-\w+-/.exec(arrival.body)?.[0] ?? '').resolve(arrival))
  return {
    url: `http://127.0.0.1:${server.ready.port}`,
    arrivalOf: async (mark) => {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => late.reject(new Error(`${mark} did not arrive within ${arrivalTimeoutMs / 1000} s.`)),
        arrivalTimeoutMs,
      )
      try {
        return await Promise.race([entryOf(mark).promise, late.promise])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

const makeFiles = async (product: Product): Promise<string[]> => {
  const project = await product.call('POST', '/projects', { Name: 'Webhooks' })
  const files = `/projects/${project.body.Id}/files`
  const paths: string[] = []
  for (let index = 0; index < fileCount; index += 1) {
    const file = await product.call('POST', files, { FileName: `clip ${index}.mp4` })
    paths.push(`${files}/${file.body.Id}/metadata`)
  }
  return paths
}

/** Starts `total` calls at a steady rate, whether or not earlier ones have ended. */
const atSteadyRate = async (total: number, act: () => Promise<number>): Promise<number[]> => {
  const running: Promise<number>[] = []
  const startedMs = performance.now()
  for (let index = 0; index < total; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())))
    running.push(act())
  }
  return await Promise.all(running)
}
