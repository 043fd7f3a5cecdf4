import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startSecondNode } from '../../../../../test/support/second-node.ts'
import { startTestServer, type TestServer } from '../../../../../test/support/test-server.ts'
import { waitFor } from '../../../../../test/support/wait-for.ts'
import { createOnDemandHands, makeOnDemandSource } from '../../test-support/on-demand-hands.ts'
import { claimWantedChunk } from './claim-wanted-chunks.ts'

let server: TestServer
let hands: ReturnType<typeof createOnDemandHands>
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer()
  hands = createOnDemandHands(server, { Renditions: [{ Height: 64 }, { Height: 90 }] })
  sample = await makeOnDemandSource(24)
})

afterAll(() => server.stop())

type Listed = Awaited<ReturnType<typeof hands.list>>

const viewers: AbortController[] = []

afterEach(async () => {
  for (const viewer of viewers.splice(0)) viewer.abort()
  await server.services.database.kysely.deleteFrom('on_demand_chunks').execute()
})

const newFiles = async (count: number): Promise<Listed[]> => {
  const project = await hands.newProject()
  const files: Listed[] = []
  for (let number = 0; number < count; number++) files.push(await hands.list(sample, project))
  return files
}

const urlOf = ({ base, rungs }: Listed, segment: number, rung = 0): string =>
  `${base}/${rungs[rung]!.Id}/${segment}.m4s`

/** Waits as a player does, until `close` is called. */
const watch = (url: string) => {
  const viewer = new AbortController()
  viewers.push(viewer)
  const status = fetch(url, { signal: viewer.signal }).then(
    (response) => response.status,
    () => null,
  )
  return { status, close: () => viewer.abort() }
}

const awaited = () => server.services.database.sql<{ number: number }[]>`
  select number from on_demand_chunks where state <> 'ready' and wanted_until > now() and awaited_until > now()`

const whenAwaited = (count: number) => waitFor(awaited, ({ length }) => length === count)

/** Requests segments one after the other. Afterwards, they are wanted as if their viewers waited on. */
const request = async (...urls: readonly string[]): Promise<void> => {
  const count = await countChunks()
  const answers: Promise<Response>[] = []
  for (const url of urls) {
    answers.push(fetch(url, { redirect: 'manual' }))
    await waitFor(countChunks, (now) => now === count + answers.length)
  }
  for (const { status } of await Promise.all(answers)) expect(status).toBe(307)
  await server.services.database.sql`
    update on_demand_chunks set wanted_until = now() + interval '1 minute', awaited_until = now() + interval '1 minute'
    where awaited_until is not null and state = 'absent'`
}

const countChunks = async (): Promise<number> => {
  const rows = await server.services.database.sql`select from on_demand_chunks`
  return rows.length
}

/** Claims as encoders that never end, and returns the chunks by the index of their file. */
const claimAll = async (files: readonly Listed[], isPlayedOnFirst = true): Promise<string[]> => {
  const claimed: string[] = []
  const order = { isAwaitedOnly: false, mayContinue: 'never', isPlayedOnFirst } as const
  for (;;) {
    const chunk = await claimWantedChunk(server.workerDatabase, order)
    if (chunk === null) return claimed
    const index = files.findIndex(({ rungs }) => rungs.some(({ Id }) => Id === chunk.renditionId))
    claimed.push(`${'abcd'[index]}${chunk.number}`)
  }
}

test('projects take turns, however much is wanted of one', async () => {
  const [a, b, c] = (await newFiles(3)) as [Listed, Listed, Listed]
  const [d] = (await newFiles(1)) as [Listed]
  const crowd = [0, 3, 6].flatMap((segment) => [a, b, c].map((file) => urlOf(file, segment)))
  await request(...crowd, urlOf(d, 2), urlOf(d, 5))
  const claimed = await claimAll([a, b, c, d])
  expect(claimed.join(' ')).toBe('a0 d2 b0 d5 c0 a3 b3 c3 a6 b6 c6')
})

test('files of a project take turns, and viewers of a file are served in their order', async () => {
  const [a, b, c] = (await newFiles(3)) as [Listed, Listed, Listed]
  const crowd = [7, 1, 4].flatMap((segment) => [urlOf(a, segment), urlOf(a, segment + 1, 1)])
  await request(...crowd, ...[b, c].flatMap((file) => [urlOf(file, 5), urlOf(file, 2)]))
  expect((await claimAll([a, b, c])).join(' ')).toBe('a7 b5 c5 a8 b2 c2 a1 a2 a4 a5')
})

test.each([
  ['go before those who begin elsewhere, but not before another project', true, 'c3 a5 b1 a7 a2'],
  ['take turns with the others in some claims', false, 'c3 b1 a7 a2 a5'],
])('viewers who continue to play a rung %s', async (_name, isPlayedOnFirst, order) => {
  const [a, b] = (await newFiles(2)) as [Listed, Listed]
  const [c] = (await newFiles(1)) as [Listed]
  await hands.play(urlOf(a, 4, 1))
  // The encoder has also encoded the next segment.
  await server.services.database.kysely.deleteFrom('on_demand_chunks').where('number', '<>', 4).execute()
  await request(urlOf(b, 1), urlOf(a, 7), urlOf(a, 2, 1), urlOf(a, 5, 1), urlOf(c, 3))
  expect((await claimAll([a, b, c], isPlayedOnFirst)).join(' ')).toBe(order)
})

test('encoders take segments that viewers wait for before segments ahead of viewers, also of the project that had the last turn', async () => {
  const [a] = (await newFiles(1)) as [Listed]
  const [b] = (await newFiles(1)) as [Listed]
  const viewer = watch(urlOf(a, 0))
  await whenAwaited(1)
  expect(await claimWantedChunk(server.workerDatabase)).toMatchObject({ number: 0 })
  await waitFor(countChunks, (count) => count === 7)
  viewer.close()
  await request(...[1, 4, 7].map((segment) => urlOf(b, segment)))
  await server.services.database.sql`
    update on_demand_chunks set wanted_until = now() + interval '50 seconds' where state = 'absent' and awaited_until is null`
  expect((await claimAll([a, b])).join(' ')).toMatch(/^b1 b4 b7 a1 a2 /)
})

test('encoders run ahead of a viewer whose segment is being encoded, and not before', async () => {
  const [file] = await newFiles(1)
  const renditionId = file!.rungs[0]!.Id
  const numbers = async () => (await hands.chunksOf(file!.ids.fileId)).map(({ number }) => number)
  watch(urlOf(file!, 0))
  await whenAwaited(1)
  expect(await numbers()).toEqual([0])
  expect(await claimWantedChunk(server.workerDatabase)).toMatchObject({
    renditionId,
    number: 0,
    urgency: 'awaited',
  })
  await waitFor(numbers, ({ length }) => length === 7)
  expect(await claimWantedChunk(server.workerDatabase)).toMatchObject({ number: 1, urgency: 'ahead' })
})

test('a request whose viewer has gone leaves nothing to encode', async () => {
  const [file] = await newFiles(1)
  const watching = [1, 4, 7].map((segment) => watch(urlOf(file!, segment)))
  await whenAwaited(3)
  for (const viewer of watching) viewer.close()
  await whenAwaited(0)
  expect(await claimWantedChunk(server.workerDatabase)).toBeNull()
})

/** Waits until a viewer has asked for the only chunk after this call. */
const whenAskedAgain = async ({ ids }: Listed): Promise<void> => {
  const read = async () => (await hands.chunksOf(ids.fileId))[0]?.awaited_until?.getTime() ?? 0
  const before = Math.max(await read(), Date.now())
  await waitFor(read, (awaitedUntil) => awaitedUntil > before + 1_000)
}

const claimAwaited = () =>
  // A viewer who asks again locks the row for a moment.
  waitFor(
    () => claimWantedChunk(server.workerDatabase),
    (chunk) => chunk !== null,
  )

test('a viewer who goes leaves the wait to the others', async () => {
  const [file] = await newFiles(1)
  const first = watch(urlOf(file!, 3))
  watch(urlOf(file!, 3))
  await whenAwaited(1)
  first.close()
  await whenAskedAgain(file!)
  expect(await claimAwaited()).toMatchObject({ number: 3, urgency: 'awaited' })
})

test('a viewer who goes leaves the wait to those of other api processes', async () => {
  const [file] = await newFiles(1)
  const peer = await startSecondNode(server)
  try {
    const url = urlOf(file!, 3)
    watch(url.replace(server.url, peer.url))
    await whenAwaited(1)
    const viewer = watch(url)
    await whenAskedAgain(file!)
    viewer.close()
    await whenAskedAgain(file!)
    expect(await claimAwaited()).toMatchObject({ number: 3, urgency: 'awaited' })
  } finally {
    await peer.stop()
  }
})

test('the last of the waits of a player leaves nothing to encode', async () => {
  const [file] = await newFiles(1)
  expect(await watch(`${urlOf(file!, 3)}?wait=4`).status).toBe(404)
  expect(await claimWantedChunk(server.workerDatabase)).toBeNull()
})

test('a viewer who goes leaves the segments of a download to their turn', async () => {
  const [file] = await newFiles(1)
  const [rung] = file!.rungs
  expect((await fetch(`${file!.base}/download.mp4?rendition=${rung!.Id}`)).status).toBe(202)
  const viewer = watch(urlOf(file!, 3))
  await whenAwaited(1)
  viewer.close()
  await whenAwaited(0)
  expect(await claimWantedChunk(server.workerDatabase)).toMatchObject({ number: 0, urgency: 'ahead' })
})
