import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sandboxLevel } from '@zoetrope/ffmpeg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { harmless } from '../../../packages/ffmpeg/test-support/hostile-program.ts'
import { encodeProject, makeEncodeSource } from '../kill/encode-scenario.ts'
import { createInstallation, type Installation } from '../kill/installation.ts'
import { listLeftovers } from '../kill/media-inventory.ts'
import { waitFor } from '../support/wait-for.ts'
import { placeHostilePrograms, type HostilePrograms } from './hostile-programs.ts'

// Where neither works, the attacker reaches what docs/operations.md lists.
const isConfined = process.platform === 'linux' && sandboxLevel() !== 'limits'

let folder: string
let programs: HostilePrograms
let installation: Installation

beforeAll(async () => {
  if (!isConfined) return
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-hostile-'))
  programs = await placeHostilePrograms(folder)
  installation = await createInstallation({ PATH: `${folder}:${process.env['PATH']}` })
  await installation.start()
})

afterAll(async () => {
  if (!isConfined) return
  await installation.remove()
  await rm(folder, { recursive: true, force: true })
})

test.runIf(isConfined)(
  'an upload that takes over ffprobe or ffmpeg reaches nothing and fails, and the next upload is encoded',
  async () => {
    const { dataFolder, url } = installation
    const connection = await installation.connection()
    const sockets = 'host' in connection ? connection.host : ''
    const socket = (await readdir(sockets)).find((name) => /^\.s\.PGSQL\.\d+$/.test(name))
    const outside = join(dataFolder, 'outside')
    const library = '/usr/lib/zoetrope-planted'
    await programs.takePlaces({
      secret: join(dataFolder, 'master.key'),
      ...{ outside, library, mostForks: 10_000 },
      unixSocket: join(sockets, socket ?? 'missing'),
      tcpPort: Number(new URL(url).port),
      serverId: await installation.findRole('worker'),
    })
    const project = await installation.call('POST', '/projects', {
      ...encodeProject,
      EncoderSettings: { Renditions: [{ Height: 90 }] },
    })
    const { bytes } = await makeEncodeSource(1)
    const upload = async (trigger: Buffer) => {
      const files = `/projects/${project.body.Id}/files`
      const { body } = await installation.call('POST', files, { FileName: 'film.mp4' })
      const sent = await fetch(body.Upload.URI, { method: 'PUT', body: Buffer.concat([bytes, trigger]) })
      expect(sent.status).toBe(200)
      return waitFor(
        async () => (await installation.call('GET', `${files}/${body.Id}`)).body,
        ({ Status }) => Status === 'finished' || Status === 'failed',
      )
    }
    for (const program of ['ffprobe', 'ffmpeg'] as const) {
      expect(await upload(programs.trigger(program))).toMatchObject({
        Status: 'failed',
        ErrorReason: 'file_crashes_decoder',
        ErrorMessage: expect.stringMatching(/^The file is damaged/),
      })
      expect(await programs.readReport(program)).toEqual({
        ...harmless,
        // Its own folder, in memory or on disk.
        'write to the work folder': expect.any(String),
      })
    }
    expect(await upload(Buffer.alloc(0))).toMatchObject({ Status: 'finished' })

    await waitFor(
      () => listLeftovers(dataFolder),
      (left) => left.length === 0,
    )
    for (const path of [outside, library]) await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await readdir(folder)).sort()).toEqual(['bwrap', 'ffmpeg', 'ffprobe', 'perl', 'report'])
    expect(await installation.countEncoders()).toBe(0)
  },
)
