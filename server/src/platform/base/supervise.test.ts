import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { waitFor } from '../../../test/support/wait-for.ts'
import { supervise, type ChildExit, type Supervised } from './supervise.ts'

const moduleUrl = new URL('./supervise.ts', import.meta.url).href
const log = { info: () => undefined, warn: () => undefined }

let base: string
let supervised: Supervised | undefined

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'zoetrope-test-'))
})

afterEach(async () => {
  await supervised?.stop(0)
  supervised = undefined
  await rm(base, { recursive: true })
})

const script = async (source: string): Promise<string> => {
  const path = join(base, 'child.mjs')
  await writeFile(path, source)
  return path
}

const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '')

/** Ignores zombies of a dead parent, which only wait for the init process. */
const isRunning = async (pid: number): Promise<boolean> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tZ')
  return !status.includes('State:\tZ')
}

/** Starts a process that outlives the test, as an encoder would. */
const startsAGrandchild = `
  import { spawn } from 'node:child_process'
  import { appendFileSync } from 'node:fs'
  const encoder = spawn('sleep', ['600'])
  encoder.once('spawn', () => appendFileSync(process.argv[2], encoder.pid + '\\n'))
`

it('restarts a child that crashes, after the given delays', async () => {
  const path = await script(`process.exit(3)`)
  const exits: (ChildExit & { at: number })[] = []
  await new Promise<void>((resolve) => {
    supervised = supervise({
      name: 'crasher',
      args: [path],
      restartDelaysMs: [1, 1, 300],
      log,
      onExit: (exit) => {
        exits.push({ ...exit, at: performance.now() })
        if (exits.length === 4) resolve()
      },
    })
  })
  expect(exits.map(({ code, isWanted }) => ({ code, isWanted }))).toEqual(
    Array.from({ length: 4 }, () => ({ code: 3, isWanted: false })),
  )
  expect(exits[3]!.at - exits[2]!.at).toBeGreaterThanOrEqual(300)
})

it('stop ends the child by SIGTERM without a restart', async () => {
  const marks = join(base, 'marks')
  const path = await script(`
    import { appendFileSync } from 'node:fs'
    process.once('SIGTERM', () => { appendFileSync(process.argv[2], 'drained\\n'); process.exit(0) })
    setInterval(() => undefined, 1000)
    appendFileSync(process.argv[2], 'ready\\n')`)
  const exits: ChildExit[] = []
  supervised = supervise({ name: 'child', args: [path, marks], log, onExit: (exit) => exits.push(exit) })
  await expect.poll(() => linesOf(marks)).toEqual(['ready'])
  expect(supervised.isUp()).toBe(true)
  await supervised.stop(10_000)
  expect(supervised.isUp()).toBe(false)
  expect(exits).toEqual([{ startId: expect.any(String), code: 0, signal: null, isWanted: true }])
  expect(await linesOf(marks)).toEqual(['ready', 'drained'])
})

it('gives each start an id, which its exit has too', async () => {
  const marks = join(base, 'marks')
  const path = await script(`
    import { appendFileSync } from 'node:fs'
    appendFileSync(process.argv[2], process.env.START_ID + '\\n')`)
  const exits: ChildExit[] = []
  supervised = supervise({
    name: 'child',
    args: [path, marks],
    env: (START_ID) => ({ ...process.env, START_ID }),
    restartDelaysMs: [1],
    log,
    onExit: (exit) => exits.push(exit),
  })
  await expect.poll(() => exits.length).toBeGreaterThan(2)
  await supervised.stop(0)
  const ids = exits.map(({ startId }) => startId)
  expect(new Set(ids).size).toBe(ids.length)
  expect((await linesOf(marks)).slice(0, 2)).toEqual(ids.slice(0, 2))
})

it('stop during a restart delay settles without a restart', async () => {
  const path = await script(`process.exit(1)`)
  let crashed = (): void => undefined
  const crash = new Promise<void>((resolve) => (crashed = resolve))
  supervised = supervise({ name: 'child', args: [path], restartDelaysMs: [60_000], log, onExit: crashed })
  await crash
  await supervised.stop(1_000)
  expect(supervised.isUp()).toBe(false)
})

it('kills a child that ignores SIGTERM after the grace period, with all its processes', async () => {
  const marks = join(base, 'marks')
  const path = await script(`${startsAGrandchild}; process.on('SIGTERM', () => undefined)`)
  const exits: ChildExit[] = []
  supervised = supervise({ name: 'child', args: [path, marks], log, onExit: (exit) => exits.push(exit) })
  await expect.poll(() => linesOf(marks)).toHaveLength(1)
  const [grandchild] = await linesOf(marks)
  await supervised.stop(100)
  expect(exits).toMatchObject([{ code: null, signal: 'SIGKILL', isWanted: true }])
  await expect.poll(() => isRunning(Number(grandchild))).toBe(false)
})

it('kills the processes of a crashed child before its successor works', async () => {
  const marks = join(base, 'marks')
  const path = await script(startsAGrandchild)
  supervised = supervise({ name: 'child', args: [path, marks], restartDelaysMs: [1], log })
  await expect.poll(() => linesOf(marks)).toHaveLength(1)
  process.kill(supervised.pid()!, 'SIGKILL')
  await expect.poll(() => linesOf(marks)).toHaveLength(2)
  const [first, second] = (await linesOf(marks)).map(Number)
  expect(await isRunning(first!)).toBe(false)
  expect(await isRunning(second!)).toBe(true)
})

it('a child that calls exitWithParent drains and ends when its parent is killed', async () => {
  const marks = join(base, 'marks')
  const child = await script(`
    import { appendFileSync } from 'node:fs'
    import { exitWithParent } from '${moduleUrl}'
    setInterval(() => undefined, 1000)
    exitWithParent(() => appendFileSync(process.argv[2], 'drained\\n'))
    console.log(process.pid)`)
  const parent = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { supervise } from '${moduleUrl}'
       const log = { info: () => undefined, warn: () => undefined }
       supervise({ name: 'child', args: ${JSON.stringify([child, marks])}, log })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string]
  parent.kill('SIGKILL')
  await expect.poll(() => isRunning(Number(line))).toBe(false)
  expect(await linesOf(marks)).toEqual(['drained'])
})

it('exitWithParent neither ends nor holds an unsupervised process', async () => {
  const path = await script(`
    import { exitWithParent } from '${moduleUrl}'
    exitWithParent(() => undefined)
    console.log('done')`)
  const alone = spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(alone, 'exit')
  expect(await once(createInterface(alone.stdout), 'line')).toEqual(['done'])
  expect(await exit).toEqual([0, null])
})

it('sends each child its message as soon as it is known', async () => {
  const received = join(base, 'received')
  const path = await script(`
    import { appendFileSync } from 'node:fs'
    import { exitWithParent, messageOfParent } from ${JSON.stringify(moduleUrl)}
    exitWithParent(() => {})
    appendFileSync(process.argv[2], JSON.stringify(await messageOfParent()) + '\\n')
    process.exit(1)
  `)
  const message = Promise.withResolvers<object>()
  let exits = 0
  const crashedTwice = Promise.withResolvers<void>()
  supervised = supervise({
    name: 'waiter',
    args: [path, received],
    restartDelaysMs: [1],
    message: message.promise,
    log,
    onExit: () => {
      exits += 1
      if (exits === 2) crashedTwice.resolve()
    },
  })
  expect(exits).toBe(0)
  message.resolve({ key: 'secret' })
  await crashedTwice.promise
  expect((await linesOf(received)).slice(0, 2)).toEqual(['{"key":"secret"}', '{"key":"secret"}'])
})

it('a child that waits for a message ends when its parent is killed', async () => {
  const marks = join(base, 'marks')
  const child = join(base, 'waiting-child.mjs')
  await writeFile(
    child,
    `
    import { appendFileSync } from 'node:fs'
    import { exitWithParent, messageOfParent } from ${JSON.stringify(moduleUrl)}
    exitWithParent(() => {})
    const message = messageOfParent()
    appendFileSync(process.argv[2], process.pid + '\\n')
    await message
  `,
  )
  const parentPath = await script(`
    import { supervise } from ${JSON.stringify(moduleUrl)}
    supervise({ name: 'child', args: ${JSON.stringify([child, marks])}, message: new Promise(() => {}), log: { info() {}, warn() {} } })
    setInterval(() => undefined, 1000)
  `)
  const parent = spawn(process.execPath, [parentPath], { stdio: 'ignore' })
  await waitFor(
    () => linesOf(marks),
    (lines) => lines.length > 0,
  )
  const [pid = ''] = await linesOf(marks)
  expect(await isRunning(Number(pid))).toBe(true)
  parent.kill('SIGKILL')
  await waitFor(
    () => isRunning(Number(pid)),
    (isUp) => !isUp,
  )
})
