import { setTimeout as delay } from 'node:timers/promises'
import type { ProcessRole } from '../../../src/platform/db/process-roles/login.ts'
import type { Cluster } from '../cluster.ts'
import type { Direction, Undo } from '../machines/machine.ts'
import { network } from '../machines/network.ts'
import type { Random } from '../random.ts'
import type { ClusterNode } from '../services/node.ts'

export interface Begun {
  /** The machine, or the connection between two. */
  readonly target: string
  readonly undo: Undo
}

export interface Fault {
  readonly name: string
  readonly seconds: readonly [least: number, most: number]
  /** Never overlaps with another fault: together, they could lose what no design can keep, such as both databases. */
  readonly isAlone?: boolean
  readonly begin: (cluster: Cluster, random: Random) => Promise<Begun>
}

const roles: readonly ProcessRole[] = ['api', 'worker', 'live']
const directions: readonly Direction[] = ['from', 'to', 'both']
const clockSteps = [-300, -60, -5, 5, 60, 300] as const
const nothing: Undo = () => Promise.resolve()

const pickNode = (cluster: Cluster, random: Random, role: ProcessRole): ClusterNode =>
  random.pick(cluster.nodesOf(role))

const crash = (role: ProcessRole): Fault => ({
  name: `kill -9 of ${role}`,
  seconds: [1, 8],
  begin: async (cluster, random) => {
    const node = pickNode(cluster, random, role)
    await node.crash(random.between(1_000, 8_000))
    return { target: node.machine.name, undo: nothing }
  },
})

const freeze = (role: ProcessRole): Fault => ({
  name: `freeze of ${role}`,
  seconds: [2, 20],
  begin: async (cluster, random) => {
    const { machine } = pickNode(cluster, random, role)
    return { target: machine.name, undo: await machine.freeze() }
  },
})

const partition = (
  role: ProcessRole,
  from: string,
  addressesOf: (cluster: Cluster) => readonly string[],
): Fault => ({
  name: `${role} cut off from ${from}`,
  seconds: [3, 20],
  begin: async (cluster, random) => {
    const { machine } = pickNode(cluster, random, role)
    const direction = random.pick(directions)
    return {
      target: `${machine.name} (${direction})`,
      undo: await machine.cutOff(addressesOf(cluster), direction),
    }
  },
})

const slowNetwork = (role: ProcessRole): Fault => ({
  name: `slow network of ${role}`,
  seconds: [5, 20],
  begin: async (cluster, random) => {
    const { machine } = pickNode(cluster, random, role)
    const delayMs = Math.round(random.between(10, 80))
    return {
      target: `${machine.name} (${delayMs} ms, 1 % lost)`,
      undo: await machine.slowDown({ delayMs, loss: 0.01 }),
    }
  },
})

const fullDisk = (role: ProcessRole): Fault => ({
  name: `full disk of ${role}`,
  seconds: [5, 15],
  begin: async (cluster, random) => {
    const { machine } = pickNode(cluster, random, role)
    return { target: machine.name, undo: await machine.fillDisk() }
  },
})

const clockStep = (role: ProcessRole): Fault => ({
  name: `clock step of ${role}`,
  seconds: [5, 20],
  begin: async (cluster, random) => {
    const { machine } = pickNode(cluster, random, role)
    const seconds = random.pick(clockSteps)
    await machine.clock.step(seconds)
    return {
      target: `${machine.name} (${seconds > 0 ? '+' : ''}${seconds} s)`,
      undo: () => machine.clock.step(0),
    }
  },
})

const storeErrors = (name: string, kind: 'refuse' | 'cut' | 'swallow' | 'delay', share: number): Fault => ({
  name,
  seconds: [4, 15],
  begin: ({ store }) => {
    store.disturb({ kind, share })
    return Promise.resolve({
      target: 'store',
      undo: () => Promise.resolve(store.disturb({ kind: 'none', share: 0 })),
    })
  },
})

const nodeAddresses = (cluster: Cluster, role: ProcessRole): string[] =>
  cluster.nodesOf(role).map(({ machine }) => machine.address)

export const faults: readonly Fault[] = [
  ...roles.map(crash),
  ...roles.map(freeze),
  // The load balancer before the databases has the address of the one before the api nodes.
  ...roles.map((role) =>
    partition(role, role === 'api' ? 'proxy and database' : 'database', () => [network.proxy]),
  ),
  ...roles.map((role) => partition(role, 'the store', ({ store }) => [store.machine.address])),
  partition('live', 'api', (cluster) => nodeAddresses(cluster, 'api')),
  partition('live', 'live', (cluster) => nodeAddresses(cluster, 'live')),
  partition('worker', 'webhook receiver', () => [network.receiver]),
  ...roles.map(slowNetwork),
  ...roles.map(fullDisk),
  ...roles.map(clockStep),
  storeErrors('store refuses (503)', 'refuse', 0.5),
  storeErrors('store breaks answers', 'cut', 0.3),
  storeErrors('store does not answer what it did', 'swallow', 0.3),
  storeErrors('slow store', 'delay', 0.7),
  {
    name: 'freeze of the store',
    seconds: [3, 10],
    begin: async ({ store }) => ({ target: 'store', undo: await store.machine.freeze() }),
  },
  {
    name: 'freeze of the primary database',
    seconds: [3, 10],
    isAlone: true,
    begin: async ({ database }) => {
      const machine = database.primary()
      return { target: machine.name, undo: await machine.freeze() }
    },
  },
  {
    name: 'standby cut off from the primary',
    seconds: [3, 12],
    isAlone: true,
    begin: async ({ database }) => ({
      target: database.standby().name,
      undo: await database.standby().cutOff([database.primary().address], 'both'),
    }),
  },
  {
    name: 'kill -9 and restart of the primary database',
    seconds: [2, 5],
    isAlone: true,
    begin: async ({ database }) => {
      const machine = database.primary()
      await machine.kill()
      return { target: machine.name, undo: () => database.restart(machine) }
    },
  },
  {
    name: 'failover of the database',
    seconds: [5, 10],
    isAlone: true,
    begin: async ({ database }, random) => {
      const machine = database.primary()
      await machine.kill()
      await delay(random.between(0, 3_000))
      await database.promote()
      return { target: machine.name, undo: () => database.rejoin() }
    },
  },
]
