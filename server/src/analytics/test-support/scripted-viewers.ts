import { expect } from 'vitest'
import { request, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'
import { addUpReports } from '../store/add-up-reports.ts'

export interface ScriptedViewers {
  readonly newFile: (options?: Parameters<typeof makePlayableFile>[1]) => Promise<PlayableFile>
  /** A viewer who plays for 30 seconds, waits half a second for media meanwhile, and leaves. */
  readonly watch: (file: PlayableFile, headers?: Record<string, string>) => Promise<void>
  /** Adds up reports until the answer fits. */
  readonly settle: (read: () => Promise<unknown>) => ReturnType<typeof expect.poll>
  readonly read: (path: string) => Promise<Answer['body']>
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

const script = [
  [-31_000, 's'],
  [-30_500, 'p'],
  [-10_500, 'r'],
  [-10_000, 'p'],
  [0, 'q'],
] as const

export const createScriptedViewers = (server: TestServer): ScriptedViewers => {
  const read = async (path: string): Promise<Answer['body']> => (await server.call('GET', path)).body
  return {
    read,
    newFile: (options = {}) => makePlayableFile(server, options),
    watch: async ({ path }, headers = {}) => {
      const [sid, nowMs] = [crypto.randomUUID(), Date.now()]
      const body = script
        .map(([at, sta], sn) => `e=ps,sid="${sid}",sn=${sn},sta=${sta},ts=${nowMs + at},v=2`)
        .join('\n')
      const answer = await request(`${server.url}${path}/cmcd`, 'POST', {
        body,
        headers: { 'content-type': 'application/cmcd', 'user-agent': browser, ...headers },
      })
      expect(answer.status).toBe(204)
    },
    settle: (readOne) =>
      expect.poll(
        async () => {
          await addUpReports(server.services.database, { held: 0 })
          return readOne()
        },
        { interval: 100 },
      ),
  }
}
