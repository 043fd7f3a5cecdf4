import { generateKeyPairSync } from 'node:crypto'
import { openDatabase, type Database } from '../../../server/src/platform/db/database.ts'
import { runChild, startServer } from '../harness/child.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { connectionOf } from '../content/many-files.ts'
import { interleave, median, pairedRatio } from '../harness/measure.ts'
import { startProduct, type Product } from '../harness/product.ts'
import { makeRow, type Goal, type Row } from '../harness/row.ts'
import type { TokenEndpoint } from '../processes/token-endpoint.ts'
import type { LoopOptions } from '../processes/webhook-loop.ts'
import type { Batch, SinkOptions } from '../processes/webhook-sink.ts'

/** Number of concurrent requests of the engine to one endpoint. */
const inFlight = 16
/** Events of one file wait for each other; those of different files do not. */
const fileCount = 200
const batchTimeoutMs = 120_000
/** Until V8 has compiled the code of a worker, a delivery takes up to twice the time. */
const warmUpBatches = 15

/**
 * Measures deliveries per second of one endpoint, from the first arrival to the last of a batch committed at
 * once. The limit is a loop that only signs and sends. Variants: beside an endpoint that hangs, on a second
 * server with a million past deliveries, and with an identity provider.
 */
export const measureDeliveries = async (context: BenchContext): Promise<Row[]> => {
  const [batch, rounds] = context.isQuick ? [1_000, 3] : [3_000, 7]
  const storedCount = context.isQuick ? 100_000 : 1_000_000
  const sink = await startSink(context, batch)
  const { product, model, webhookId, addWebhook, deliver } = await startSide(context, sink, 'data', batch)
  const loop = (privateKey: string | null) => async (): Promise<number> => {
    const arrived = sink.nextBatch()
    const { origin } = sink
    const { body } = model
    await runChild('webhook-loop', {
      origin,
      path: '/hook',
      body,
      count: batch,
      inFlight,
      privateKey,
    } satisfies LoopOptions)
    return batch / (await arrived).seconds
  }
  const row = (
    name: string,
    limitName: string,
    results: { product: number[]; limit: number[] },
    options: { goal: Goal; note?: string },
  ): Row =>
    makeRow({
      name,
      unit: 'deliveries/s',
      value: median(results.product),
      limit: { name: limitName, value: median(results.limit) },
      ratio: pairedRatio(results.product, results.limit),
      ...options,
    })
  const note = `${rounds} batches of ${batch} events of ${fileCount} files, ${Buffer.byteLength(model.body)} bytes each`

  context.say(`${rounds} pairs of ${batch} deliveries and of a bare loop`)
  await deliver(webhookId)
  const alone = await interleave(rounds, { product: () => deliver(webhookId), limit: loop(null) })

  context.say('beside an endpoint that hangs')
  const besideHanging = await interleave(context.isQuick ? 2 : 5, {
    limit: () => deliver(webhookId),
    product: async () => {
      // A new endpoint each time, which has no circuit breaker state.
      const hanging = await addWebhook('/hang')
      const rate = await deliver(webhookId, hanging)
      await product.call('DELETE', `/modules/notifications/${hanging}`)
      return rate
    },
  })

  context.say(`${storedCount} stored deliveries`)
  const past = await startSide(context, sink, 'past', batch)
  for (let index = 0; index < warmUpBatches; index += 1) await past.deliver(past.webhookId)
  await storePast(past, storedCount)
  await past.deliver(past.webhookId)
  const besidePast = await interleave(rounds, {
    limit: () => deliver(webhookId),
    product: () => past.deliver(past.webhookId),
  })
  await past.stop()

  context.say('signed on the strength of an identity provider')
  const provider = await startServer<TokenEndpoint>('token-endpoint', {})
  context.defer(provider.stop)
  await product.call('PUT', '/modules/partners/identityprovider', {
    Preset: 'custom',
    Issuer: `http://127.0.0.1:${provider.ready.port}`,
    ClientId: 'zoetrope',
    ClientSecret: 'bench',
  })
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  await deliver(webhookId)
  const signed = await interleave(rounds, { product: () => deliver(webhookId), limit: loop(privateKey) })

  return [
    row('deliveries', 'bare undici loop with HMAC', alone, { goal: { of: 'ratio', atLeast: 0.6 }, note }),
    row('deliveries, identity-signed', 'the same loop signing', signed, {
      goal: { of: 'ratio', atLeast: 0.6 },
    }),
    row('deliveries beside an endpoint that hangs', 'without it', besideHanging, {
      goal: { of: 'ratio', atLeast: 0.95 },
    }),
    row(`deliveries with ${storedCount} stored ones`, 'without them', besidePast, {
      goal: { of: 'ratio', atLeast: 0.9 },
    }),
  ]
}

interface Side {
  readonly product: Product
  readonly database: Database
  readonly model: Model
  readonly webhookId: number
  readonly addWebhook: (path: string) => Promise<number>
  readonly deliver: (...webhookIds: number[]) => Promise<number>
  readonly stop: () => Promise<void>
}

const startSide = async (context: BenchContext, sink: Sink, folder: string, batch: number): Promise<Side> => {
  const product = await startProduct(context, await makeFolder(context, folder), {
    OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    OUTBOUND_ALLOW_HTTP: '1',
  })
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  context.defer(() => database.close())
  const model = await makeModel(product, database)
  const addWebhook = async (path: string): Promise<number> => {
    const { body } = await product.call('POST', '/modules/notifications', {
      TargetURL: `${sink.origin}${path}`,
      EventTypes: ['file.failed'],
    })
    return body.Id as number
  }
  return {
    product,
    database,
    model,
    webhookId: await addWebhook('/hook'),
    addWebhook,
    deliver: async (...webhookIds) => {
      const arrived = sink.nextBatch()
      await storeEvents(database, model, webhookIds, batch)
      return batch / (await arrived).seconds
    },
    stop: async () => {
      await database.close()
      await product.stop()
    },
  }
}

interface Sink {
  readonly origin: string
  readonly nextBatch: () => Promise<Batch>
}

const startSink = async (context: BenchContext, batch: number): Promise<Sink> => {
  const server = await startServer<{ port: number }, Batch>('webhook-sink', { batch } satisfies SinkOptions)
  context.defer(server.stop)
  let resolve: (arrived: Batch) => void = () => {}
  server.onMessage((arrived) => resolve(arrived))
  return {
    origin: `http://127.0.0.1:${server.ready.port}`,
    nextBatch: () =>
      new Promise((whenArrived, reject) => {
        const timer = setTimeout(() => reject(new Error('A batch did not arrive in time.')), batchTimeoutMs)
        resolve = (arrived) => {
          clearTimeout(timer)
          whenArrived(arrived)
        }
      }),
  }
}

interface Model {
  readonly fileIds: readonly number[]
  /** Event of a similar file, the template of new events. */
  readonly eventId: number
  readonly body: string
}

const makeModel = async (product: Product, database: Database): Promise<Model> => {
  const project = await product.call('POST', '/projects', { Name: 'Deliveries' })
  const files = `/projects/${project.body.Id}/files`
  const fileIds: number[] = []
  for (let index = 0; index < fileCount; index += 1)
    fileIds.push((await product.call('POST', files, { FileName: `clip ${index}.mp4` })).body.Id as number)
  const [event] = await database.sql<{ id: number; record: string }[]>`
    select id, record from events where file_id = ${fileIds[0] ?? 0} order by id limit 1`
  if (event === undefined) throw new Error('The file has no event.')
  return { fileIds, eventId: event.id, body: `[${event.record}]` }
}

/** Commits all events together, as after an import of a whole library. */
const storeEvents = async (
  { sql }: Database,
  { fileIds, eventId }: Model,
  webhookIds: readonly number[],
  count: number,
): Promise<void> => {
  await sql`
    with added as (
      insert into events (account_id, project_id, file_id, name, sequence, subject, record)
      select account_id, project_id, (${fileIds}::bigint[])[1 + n % ${fileIds.length}::int], 'file.failed', n, subject, record
      from events, generate_series(1, ${count}::int) as n where id = ${eventId}
      returning id, account_id, file_id
    )
    insert into deliveries (account_id, webhook_id, event_id, file_id, lane)
    select added.account_id, webhook_id, added.id, added.file_id, added.file_id
    from added, unnest(${webhookIds}::bigint[]) as webhook_id order by added.id`
}

const storePast = async (
  { database: { sql }, model: { eventId }, webhookId }: Side,
  count: number,
): Promise<void> => {
  await sql`
    with added as (
      insert into deliveries (account_id, webhook_id, event_id, file_id, state, attempt_count, finished_at)
      select account_id, ${webhookId}, id, file_id, 'delivered', 1, now()
      from events, generate_series(1, ${count}::int) where id = ${eventId}
      returning id
    )
    insert into delivery_attempts (delivery_id, number, started_at, duration_ms, status_code)
    select id, 1, now(), 5, 204 from added`
  // In production, autovacuum has run by then and the data is on disk.
  await sql`vacuum (analyze) deliveries, delivery_attempts`
  await sql`checkpoint`
}
