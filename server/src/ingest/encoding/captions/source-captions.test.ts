import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClosedCaptions } from '../../../../test/support/closed-captions.ts'
import { createHands } from '../../../../test/support/hands.ts'
import { makeMedia } from '../../../../test/support/media.ts'
import { makeSubtitled } from '../../../../test/support/subtitled.ts'
import { request, startTestServer, type TestServer } from '../../../../test/support/test-server.ts'

let server: TestServer
let hands: ReturnType<typeof createHands>
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  hands = createHands(server)
  projectId = await hands.newProject()
})

afterAll(() => server.stop())

interface Ids {
  readonly projectId: number
  readonly fileId: number
}

interface Caption {
  readonly Id: number
  readonly Language: string
  readonly URI: string
}

const srt = (text: string): string => `1\n00:00:01,000 --> 00:00:02,500\n${text}\n`

const ass = `[Script Info]
ScriptType: v4.00+

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:00.50,0:00:01.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0 100 100{\\p0}
Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}Hallo{\\i0}\\N\\NWelt --> <script>x</script>
`

/** A PGS stream that shows one image of eight by two pixels for a second. */
const pgs = [
  '504700015f9000000000160013014000b4100000800000010000000000000000504700015f900000000017000a010000',
  '00000000080002504700015f9000000000140007000001eb8080ff504700015f900000000015001f000000c000001800',
  '0800020101010101010101000001010101010101010000504700015f900000000080000050470002bf20000000001600',
  '0b014000b41000010000000050470002bf2000000000800000',
]

const storageBytes = async (): Promise<number> =>
  (await server.call('GET', `/projects/${projectId}`)).body.StorageBytes

const textOf = async ({ URI }: Caption): Promise<string> => String((await request(URI, 'GET')).body)

const captions = (ids: Ids) => `/projects/${ids.projectId}/files/${ids.fileId}/captions`

const vtt = (text: string): string => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${text}\n`

test.each(['mkv', 'mp4'] as const)('converts text tracks of a source (%s) to captions', async (format) => {
  const source = await makeSubtitled(format, [
    { text: srt('Hello <b>you</b> & me'), extension: 'srt', language: 'eng', title: 'English (UK)' },
    { text: srt('[Door slams]'), extension: 'srt', language: 'eng', disposition: 'hearing_impaired' },
    { text: ass, extension: 'ass', language: 'ger' },
  ])
  const before = await storageBytes()
  const ids = await hands.upload(projectId, source, { FileName: `film.${format}` })
  await hands.process(ids)
  const file = await hands.get(ids)
  expect(file).toMatchObject({ Status: 'finished', Warnings: [] })
  const [german, deaf, english] = file.Captions.toSorted((a: Caption, b: Caption) => b.Id - a.Id)
  expect(german).toMatchObject({ Language: 'de', Label: 'Deutsch', Kind: 'subtitles', Origin: 'source' })
  expect(deaf).toMatchObject({ Language: 'en', Kind: format === 'mkv' ? 'captions' : expect.any(String) })
  expect(english).toMatchObject({ Language: 'en', Kind: 'subtitles', IsDefault: false, Origin: 'source' })
  const text = await textOf(english)
  expect(text).toContain('Hello <b>you</b> &amp; me')
  expect(text).toMatch(/00:00:01\.0\d\d --> 00:00:02\.5\d\d/)
  expect(await textOf(german)).toContain('<i>Hallo</i>\nWelt --&gt; ')
  expect(await textOf(german)).not.toMatch(/script|m 0 0/)
  const { storage_bytes } = await hands.rowOf(ids.fileId)
  expect((await storageBytes()) - before).toBe(storage_bytes)
})

test('keeps captions in sync whose first cue begins before the video', async () => {
  const text = `${srt('Early')}\n2\n00:00:03,000 --> 00:00:04,000\nLater\n`
  const source = await makeSubtitled('mp4', [{ text, extension: 'srt' }], { startSeconds: 2 })
  const ids = await hands.upload(projectId, source, { FileName: 'cut.mp4' })
  await hands.process(ids)
  const { Captions } = await hands.get(ids)
  expect(await textOf(Captions[0])).toMatch(
    /^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.5\d\d\nEarly\n\n00:00:01\.0\d\d --> 00:00:02\.0\d\d\nLater\n$/,
  )
})

test('finishes a source whose tracks have languages with private subtags', async () => {
  const tone = ['-f', 'lavfi', '-i', 'sine=duration=2:sample_rate=44100', '-c:a', 'aac']
  const source = await makeMedia([...tone, '-metadata:s:a:0', 'language=de-x-sport', '-f', 'matroska'])
  const ids = await hands.upload(projectId, source, { FileName: 'reportage.mka' })
  await hands.process(ids)
  const file = await hands.get(ids)
  expect(file).toMatchObject({ Status: 'finished', ErrorMessage: null })
  const { HLS } = file.Playouts[0]
  await server.call('PUT', `/projects/${projectId}/files/${ids.fileId}/metadata`, {
    body: { ReleaseStatus: 'published' },
  })
  expect((await request(HLS, 'GET')).status).toBe(200)
})

test('neither repeats nor restores the captions of the source on retry', async () => {
  const source = await makeSubtitled('mkv', [
    { text: srt('One'), extension: 'srt', language: 'eng' },
    { text: srt('Eins'), extension: 'srt', language: 'ger' },
  ])
  const ids = await hands.upload(projectId, source, { FileName: 'film.mkv' })
  await hands.process(ids)
  const { Captions } = await hands.get(ids)
  const english = Captions.find(({ Language }: Caption) => Language === 'en')
  await server.call('DELETE', `${captions(ids)}/${english.Id}`)
  await server.call('POST', `/projects/${projectId}/files/${ids.fileId}/retry?force=true`)
  await hands.process(ids)
  const after = await hands.get(ids)
  expect(after.Status).toBe('finished')
  expect(after.Captions).toEqual(Captions.filter(({ Id }: Caption) => Id !== english.Id))
})

test('replaces source captions with those of a new source and keeps uploaded ones', async () => {
  const one = await makeSubtitled('mkv', [
    { text: srt('One'), extension: 'srt', language: 'eng' },
    { text: srt('Eins'), extension: 'srt', language: 'ger' },
  ])
  const two = await makeSubtitled('mkv', [
    { text: srt('Two'), extension: 'srt', language: 'eng' },
    { text: srt('Deux'), extension: 'srt', language: 'fra' },
  ])
  const before = await storageBytes()
  const ids = await hands.upload(projectId, one, { FileName: 'film.mkv' })
  await hands.process(ids)
  const own = await server.call('POST', captions(ids), { body: { Language: 'de', Content: vtt('Meins') } })
  expect(own).toMatchObject({ status: 201, body: { Origin: 'upload' } })
  const replaced = await server.call('PUT', `/projects/${projectId}/files/${ids.fileId}/replace`, {
    body: { FileName: 'film.mkv' },
  })
  await request(replaced.body.Upload.URI, 'PUT', { body: two })
  expect((await hands.get(ids)).Captions.map(({ Language }: Caption) => Language)).toEqual(['de', 'en'])
  await hands.process(ids)
  const { Status, Captions } = await hands.get(ids)
  expect(Status).toBe('finished')
  expect(
    Captions.map(({ Language, Origin }: { Language: string; Origin: string }) => [Language, Origin]),
  ).toEqual([
    ['de', 'upload'],
    ['en', 'source'],
    ['fr', 'source'],
  ])
  expect(await textOf(Captions[0])).toContain('Meins')
  expect(await textOf(Captions[1])).toContain('Two')
  const { storage_bytes } = await hands.rowOf(ids.fileId)
  expect((await storageBytes()) - before).toBe(storage_bytes)
})

test('lists image subtitles in the record and finishes the file without errors', async () => {
  const source = await makeSubtitled('mkv', [{ text: pgs.join(''), extension: 'sup', language: 'eng' }])
  const ids = await hands.upload(projectId, source, { FileName: 'film.mkv' })
  await hands.process(ids)
  expect(await hands.get(ids)).toMatchObject({
    Status: 'finished',
    HasErrors: false,
    Captions: [],
    Warnings: [
      {
        Code: 'subtitles_not_converted',
        Message:
          'The source has subtitles in English as pictures (PGS), which cannot be converted to text. Upload them as WebVTT or SubRip.',
        Reason: 'subtitles_are_pictures',
        Params: { track: 'in English', language: 'en', format: 'PGS' },
      },
    ],
  })
})

test('converts CTA-608 captions in H.264 with the times of the video', async () => {
  const source = await makeClosedCaptions([
    { text: 'Hello & you', fromFrame: 25, clearedAtFrame: 75 },
    { text: 'Second', fromFrame: 80, clearedAtFrame: 125 },
  ])
  const ids = await hands.upload(projectId, source)
  await hands.process(ids)
  const { Captions, Warnings, Status } = await hands.get(ids)
  expect({ Status, Warnings }).toEqual({ Status: 'finished', Warnings: [] })
  expect(Captions).toHaveLength(1)
  expect(Captions[0]).toMatchObject({
    Language: 'und',
    Kind: 'captions',
    Label: 'Captions',
    Origin: 'source',
  })
  const text = await textOf(Captions[0])
  expect(text).toMatch(/00:00:01\.\d{3} --> 00:00:0(?:2\.9|3\.0)\d\d\nHello &amp; you\n/)
  expect(text).toMatch(/00:00:03\.\d{3} --> 00:00:0(?:4\.9|5\.0)\d\d\nSecond\n/)
})
