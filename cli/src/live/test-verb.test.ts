import { readdir, readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { startLiveWorld, type LiveWorld } from '../../../server/src/live/node/test-support/live-world.ts'
import { runCommandLine } from '../run-command-line.ts'
import { startCommand } from '../test-support/running-command.ts'

let world: LiveWorld

beforeAll(async () => {
  world = await startLiveWorld()
})

const credentials = (apiKey = world.server.apiKey) => ({
  ZOETROPE_API_BASE: `${world.server.url}/v3`,
  ZOETROPE_API_KEY: apiKey,
})

const words = (projectId: number): string[] => ['live', 'test', '--project', String(projectId)]

const commandLinesOfMachine = async (): Promise<string> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const texts = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
  return (await Promise.all(texts)).join('\n')
}

test('live test publishes for the given seconds, prints where it plays and when viewers see it, and exits 0', async () => {
  const { projectId, streamKey, until } = await world.newStream()
  const command = startCommand([...words(projectId), '--seconds', '4'], credentials())
  expect(await command.line(/^Publishing/)).toBe(
    `Publishing a test pattern to project ${projectId}, for 4 s.`,
  )
  const player = (await command.line(/^Player /)).slice('Player '.length)
  expect((await fetch(player)).status).toBe(200)
  await command.line(/^Online: /)
  // All users of the machine can read command lines.
  expect(await commandLinesOfMachine()).not.toContain(streamKey)
  expect(await command.exited).toBe(0)
  expect(command.lines.at(-1)).toBe('The test has ended.')
  expect(await until('live.ended')).toContain('live.started')
})

test('Ctrl-C ends an unlimited test with success', async () => {
  const { projectId } = await world.newStream()
  const command = startCommand([...words(projectId), '--json'], credentials())
  expect(JSON.parse(await command.line(/online/))).toEqual({ State: 'online' })
  expect(await command.end()).toBe(0)
  expect(JSON.parse(command.lines.at(-1) ?? '')).toEqual({ State: 'ended' })
})

test('ending the broadcast elsewhere ends the test with a message and exit code 1', async () => {
  const { projectId, change } = await world.newStream()
  const command = startCommand(words(projectId), credentials())
  const failed = command.line(/never/)
  await command.line(/^Online: /)
  await change({ is_enabled: false })
  await expect(failed).rejects.toThrow('The ingest ended the stream: ')
  expect(await command.exited).toBe(1)
})

const refused = async (projectId: number, apiKey?: string): Promise<{ code: number; stderr: string }> => {
  let stderr = ''
  const sink = (write: (text: string) => void) =>
    ({ isTTY: false, write: (text: string) => (write(text), true) }) as never
  const code = await runCommandLine(words(projectId), {
    env: { ...credentials(apiKey), ZOETROPE_CALLED_AS: 'zoetrope' },
    stdin: { isTTY: false } as NodeJS.Process['stdin'],
    stdout: sink(() => {}),
    stderr: sink((text) => (stderr += text)),
  })
  return { code, stderr }
}

test('an obstacle is reported with the command that removes it', async () => {
  const { call, newKey } = world.server
  const { projectId } = await world.newStream()
  const ingest = `/projects/${projectId}/live/ingest`
  expect(await refused(projectId, await newKey({ role: 'Reader' }))).toEqual({
    code: 1,
    stderr: 'This API key cannot read the stream key. It needs the scope live:keys.\n',
  })
  await call('PUT', ingest, { body: { IsEnabled: false } })
  expect(await refused(projectId)).toEqual({
    code: 1,
    stderr: `The live stream is disabled. Enable it: zoetrope live update --project ${projectId} --is-enabled\n`,
  })
  await call('PUT', ingest, { body: { IsEnabled: true, StreamInType: 'srt' } })
  expect((await refused(projectId)).stderr).toContain(
    `zoetrope live update --project ${projectId} --stream-in-type rtmp`,
  )
  expect(await refused(999_999)).toMatchObject({ code: 3 })
})

test('an unreachable ingest is named', async () => {
  const { projectId } = await world.newStream()
  await world.stopNode()
  const { code, stderr } = await refused(projectId)
  expect(stderr).toBe(
    `Cannot reach the ingest at 127.0.0.1:${world.rtmpPort} (ECONNREFUSED). Check that its port is open from here.\n`,
  )
  expect(code).toBe(1)
})
