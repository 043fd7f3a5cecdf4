import { expect, test } from 'vitest'
import { startSourceWorld } from '../sources/test-support/test-sources.ts'
import { leasePulls, releasePull, releasePulls } from './pull-leases.ts'

const world = await startSourceWorld()
const { database } = world.server.services
const [one, other] = ['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']

const lease = async (
  nodeId: string,
  maxStreams: number,
  liveProjectIds: readonly number[] = [],
  maxStreamsPerAccount = 0,
): Promise<number[]> => {
  const rows = await leasePulls(database, nodeId, { maxStreams, maxStreamsPerAccount, liveProjectIds })
  return rows.map(({ project_id }) => project_id).toSorted((left, right) => left - right)
}

const newPull = async (): Promise<number> =>
  (await world.newStream('rtmp-pull', 'rtmp://127.0.0.1/live/key')).projectId

test('leases no more pulls than a node has room for beside its other broadcasts', async () => {
  const pulls = [await newPull(), await newPull(), await newPull()]
  const pushed = (await world.newStream('rtmp')).projectId
  expect(await lease(one, 1, [pushed])).toEqual([])
  const [first] = await lease(one, 2, [pushed])
  expect(await lease(one, 2, [pushed, first!])).toEqual([first])
  expect(await lease(other, 5)).toEqual(pulls.filter((projectId) => projectId !== first))
  await releasePulls(database, one)
  await releasePulls(database, other)

  // After a restart, broadcasts that wait here for their pulls fill the node.
  expect(await lease(one, 2, pulls.slice(1))).toEqual(pulls.slice(1))
  await releasePull(database, other, pulls[1]!)
  expect(await lease(one, 2, pulls.slice(1))).toEqual(pulls.slice(1))
  await releasePull(database, one, pulls[1]!)
  expect(await lease(one, 2, [pulls[2]!, pushed])).toEqual([pulls[2]])
})

test('leases no more pulls of an account than it may have beside its other broadcasts', async () => {
  const pushed = (await world.newStream('rtmp')).projectId
  expect(await lease(one, 10, [], 1)).toHaveLength(1)
  expect(await lease(one, 10, [], 1)).toHaveLength(1)
  expect(await lease(one, 10, [pushed], 2)).toHaveLength(1)
  expect(await lease(one, 10, [pushed], 3)).toHaveLength(2)
  await releasePulls(database, one)
  await releasePulls(database, other)
})

test('leases by the type that a running broadcast began with', async () => {
  const source = 'rtmp://127.0.0.1/live/key'
  const pushed = await world.newStream('rtmp', source)
  const pulled = await world.newStream('rtmp-pull', source)
  const endPushed = await pushed.beginBroadcast()
  const endPulled = await pulled.beginBroadcast()
  await pushed.change({ kind: 'rtmp-pull' })
  await pulled.change({ kind: 'rtmp' })
  const mine = async (): Promise<number[]> =>
    (await lease(one, 10)).filter((projectId) =>
      [pushed, pulled].some((stream) => stream.projectId === projectId),
    )
  expect(await mine()).toEqual([pulled.projectId])
  expect(await mine()).toEqual([pulled.projectId])
  await endPushed()
  await endPulled()
  expect(await mine()).toEqual([pushed.projectId])
})
