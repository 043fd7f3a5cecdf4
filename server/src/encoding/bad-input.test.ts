import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../../test/support/media.ts'
import { request, startTestServer, type TestServer } from '../../test/support/test-server.ts'
import { waitFor } from '../../test/support/wait-for.ts'

let server: TestServer
let projectId: number
let sample: Buffer

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Bad input', DefaultReleaseStatus: 'published' },
  })
  projectId = project.body.Id
  sample = await makeSample({ seconds: 3 })
})

afterAll(async () => {
  await server.stop()
})

const process = async (fileName: string, bytes: Buffer) => {
  const created = await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: fileName } })
  await request(created.body.Upload.URI, 'PUT', { body: bytes })
  const { body } = await waitFor(
    () => server.call('GET', `/projects/${projectId}/files/${created.body.Id}`),
    (answer) => answer.body.IsFinished === true,
  )
  return body
}

/** The first quarter of a file whose index stands at its end. */
const withoutIndex = (bytes: Buffer): Buffer => bytes.subarray(0, Math.floor(bytes.length / 4))

test.each([
  ['text as mp4', 'notes.mp4', () => Buffer.from('Dear diary, today I was a video.\n'.repeat(50))],
  ['zeros', 'zeros.mov', () => Buffer.alloc(100_000)],
  ['a truncated file without its index', 'cut.mp4', () => withoutIndex(sample)],
  [
    'a playlist that names a local file',
    'list.mp4',
    () => Buffer.from('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n'),
  ],
  ['a concat script', 'concat.mp4', () => Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n")],
  ['a picture', 'picture.mp4', () => Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
  ['one byte', 'byte.mp4', () => Buffer.from('a')],
])(
  '%s ends failed with a sentence for people, and leaves no temporary files',
  async (_what, fileName, bytes) => {
    const file = await process(fileName, bytes())
    expect(file).toMatchObject({
      Status: 'failed',
      IsFinished: true,
      IsEncoded: false,
      HasErrors: true,
      IsPlayable: false,
    })
    expect(file.ErrorMessage).toMatch(/^The file [a-z ].*\.$/)
    expect(file.Playouts[0]).toMatchObject({ HLS: null, DASH: null, EmbedURI: null })
    // The job removes its folder as its last act, a moment after the state is there.
    await waitFor(
      async () =>
        (await readdir(join(server.dataFolder, 'work'), { recursive: true })).filter((path) =>
          path.includes('/'),
        ),
      (left) => left.length === 0,
    )
  },
)

test('a file whose end is missing plays as far as it goes', async () => {
  const fragmented = await makeSample({ seconds: 6, extra: ['-movflags', '+frag_keyframe+empty_moov'] })
  const file = await process('cut-short.mp4', fragmented.subarray(0, Math.floor(fragmented.length * 0.7)))
  expect(file.IsPlayable).toBe(true)
})

test('after all of that the worker still makes a good file playable', async () => {
  expect(await process('good.mp4', sample)).toMatchObject({ Status: 'finished', HasErrors: false })
})
