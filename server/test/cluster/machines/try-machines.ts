import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { waitFor } from '../../support/wait-for.ts'
import { clockEnvironment } from './clock.ts'
import { enclose, isEnclosed } from './enclosure.ts'
import { createMachine, type Machine } from './machine.ts'
import { addressOf, createNetwork } from './network.ts'

/** Tries each fault on a machine that answers its time, and prints what happened. For machine.test.ts. */
const server = `require('node:http').createServer((_, response) => response.end(String(Date.now()))).listen(80)`

const timeOf = ({ address }: Machine): Promise<number | null> =>
  fetch(`http://${address}`, { signal: AbortSignal.timeout(500) })
    .then(async (response) => Number(await response.text()))
    .catch(() => null)

const answers = async (machine: Machine): Promise<boolean> => (await timeOf(machine)) !== null

const serve = async (machine: Machine): Promise<ChildProcess> => {
  const child = machine.start([process.execPath, '-e', server], { env: clockEnvironment(machine.clock) })
  await waitFor(
    () => answers(machine),
    (isThere) => isThere,
  )
  return child
}

const tryMachines = async (root: string): Promise<void> => {
  await createNetwork()
  const spec = (number: number) => ({
    name: `machine${number}`,
    address: addressOf(number),
    diskBytes: 1024 * 1024,
  })
  const [machine, other] = [await createMachine(root, spec(11)), await createMachine(root, spec(12))]
  const [child] = [await serve(machine), await serve(other)]
  const canWrite = (): Promise<boolean> =>
    writeFile(join(machine.folder, 'file'), Buffer.alloc(8_192)).then(
      () => true,
      () => false,
    )

  const reachable = await answers(machine)
  const connect = await machine.cutOff([addressOf(1)], 'to')
  const reachableWhenCutOff = await answers(machine)
  await connect()
  const reachableAfterwards = await answers(machine)
  const slowDelayMs = 400
  const hurry = await machine.slowDown({ delayMs: slowDelayMs, loss: 0 })
  const answersInTimeWhenSlow = await answers(machine)
  const startedMs = performance.now()
  await fetch(`http://${machine.address}`)
  // A connection and a request: two round trips.
  const isSlow = performance.now() - startedMs >= 4 * slowDelayMs
  await hurry()
  const answersAfterwards = await answers(machine)
  const find = await machine.slowDown({ delayMs: 0, loss: 1 })
  const answersWhenLost = await answers(machine)
  await find()
  const thaw = await machine.freeze()
  const answersWhenFrozen = await answers(machine)
  await thaw()
  const answersWhenThawed = await answers(machine)
  await machine.clock.step(60)
  const clockStepSeconds = await waitFor(
    async () => Math.round((((await timeOf(machine)) ?? 0) - Date.now()) / 1_000),
    (seconds) => seconds === 60,
  )
  const empty = await machine.fillDisk()
  const isDiskFull = !(await canWrite())
  await empty()
  const isDiskFreeAfterwards = await canWrite()
  const ended = once(child, 'exit')
  await machine.kill()
  const [, endedBy] = await ended
  const result = {
    ...{ reachable, reachableWhenCutOff, reachableAfterwards, answersWhenFrozen, answersWhenThawed },
    ...{ answersInTimeWhenSlow, isSlow, answersAfterwards, answersWhenLost },
    ...{ clockStepSeconds, isDiskFull, isDiskFreeAfterwards, endedBy, otherIsRunning: await answers(other) },
  }
  await machine.remove()
  await other.remove()
  process.stdout.write(JSON.stringify(result))
}

if (isEnclosed()) {
  const root = await mkdtemp(join(tmpdir(), 'zoetrope-machines-'))
  try {
    await tryMachines(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
  process.exit(0)
}
process.exit(await enclose({ isOpen: false }))
