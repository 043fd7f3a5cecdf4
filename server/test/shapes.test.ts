import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShapes } from './support/make-shapes.ts'
import { measurePlayout } from './support/measure-playout.ts'
import { request, startTestServer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'

/**
 * Black and silent for one second, then bright and loud for one second, to check that sound and picture stay
 * in sync.
 */
const flash =
  '-f lavfi -i color=black:size=160x90:rate=25:duration=2,drawbox=t=fill:color=white:enable=gte(t\\,1)'
const beep = '-f lavfi -i aevalsrc=gte(t\\,1)*sin(2*PI*1000*t):sample_rate=48000:duration=2'
const both = `${flash} ${beep}`
const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p'
const aac = '-c:a aac -ac 2'
const hdr10 =
  '-c:v libx265 -preset ultrafast -x265-params log-level=none -pix_fmt yuv420p10le -vf setparams=color_primaries=bt2020:colorspace=bt2020nc:color_trc=smpte2084'
/** Drops the first 0.4 s of video, so that sound starts before the picture. */
const latePicture = '-vf trim=start=0.4'

const shapes = [
  ['upright.mp4', `${h264} ${aac}`],
  ['hdr10.mp4', `${hdr10} ${aac}`],
  ['variable.mp4', `-vf select=lt(n\\,10)+not(mod(n\\,5)) -fps_mode vfr -c:v mpeg4 ${aac}`],
  ['cover.png', '-frames:v 1'],
  [
    'song.mp3',
    '-map 0:a -map 1 -c:a mp3 -c:v copy -disposition:v attached_pic',
    '-i {upright.mp4} -i {cover.png}',
  ],
  [
    'languages.mkv',
    `-map 0 -map 1 -map 1 -map 1 ${latePicture} ${h264} ${aac} -c:a:1 libopus -metadata:s:a:0 language=ger -metadata:s:a:1 language=eng -metadata:s:a:2 language=eng -metadata:s:a:2 title=Commentary`,
  ],
  ['late.ts', `${latePicture} ${h264} -c:a ac3 -ac 6 -output_ts_offset 36000`],
  ['fragmented.mp4', `${h264} -c:a aac -ac 6 -movflags +empty_moov+frag_keyframe+default_base_moof`],
  ['live.mkv', `-c:v mpeg4 ${aac} -live 1`],
].map(([name = '', output = '', inputs = both]) => ({ name, output, inputs }))
const turned = { name: 'turned.mp4', output: '-c copy', inputs: '-i {upright.mp4}', turned: 90 } as const

let server: TestServer
let folder = ''
let projectId = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zoetrope-shapes-'))
  ;[server] = await Promise.all([
    startTestServer({ withWorker: true }),
    makeShapes(folder, [...shapes, turned]),
  ])
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Shapes', DefaultReleaseStatus: 'published' },
  })
  projectId = project.body.Id
})

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const upload = async (name: string) => {
  const bytes = await readFile(join(folder, name))
  const created = await server.call('POST', `/projects/${projectId}/files`, {
    body: { FileName: name, FileSize: bytes.length },
  })
  await request(created.headers.get('location') ?? '', 'PUT', { body: bytes })
  const { body } = await waitFor(
    () => server.call('GET', `/projects/${projectId}/files/${created.body.Id}`),
    (answer) => answer.body.IsFinished === true,
  )
  return body
}

const uploads = new Map<string, ReturnType<typeof upload>>()

const process = (name: string): ReturnType<typeof upload> => {
  const known = uploads.get(name) ?? upload(name)
  uploads.set(name, known)
  return known
}

test.each([
  // File name, frame size, frame count, and the renditions that make it playable.
  ['turned.mp4', '90x160', 50, ['90p', 'source']],
  ['hdr10.mp4', '160x90', 50, ['90p', 'source']],
  ['variable.mp4', '160x90', 46, ['90p', 'source']],
  ['languages.mkv', '160x90', 40, ['audio 2', 'source', 'source', 'source 3']],
  ['late.ts', '160x90', 40, ['audio', 'source']],
  ['fragmented.mp4', '160x90', 50, ['audio', 'source']],
  ['live.mkv', '160x90', 50, ['90p', 'audio']],
])(
  '%s plays at %s with all %i frames and with sound and picture in sync',
  async (name, size, frameCount, renditions) => {
    const file = await process(name)
    expect(file).toMatchObject({ Status: 'finished', ErrorMessage: null })
    expect(file.Renditions.map(({ Name }: { Name: string }) => Name).sort()).toEqual(renditions)
    const { VideoWidth, VideoHeight, VideoFPS, Length } = file.Properties
    expect(`${VideoWidth}x${VideoHeight} ${VideoFPS}`).toBe(`${size} 25`)
    expect(Length).toBeGreaterThan(1.95)
    expect(Length).toBeLessThan(2.06)
    const measured = await measurePlayout(file.Playouts[0].HLS)
    expect(measured).toMatchObject({ size, frameCount })
    expect(measured.flashSeconds).toBeGreaterThan(0.9)
    expect(Math.abs((measured.beepSeconds ?? 0) - (measured.flashSeconds ?? 0))).toBeLessThanOrEqual(0.001)
  },
)

test('an audio file with cover art plays as audio', async () => {
  const file = await process('song.mp3')
  expect(file).toMatchObject({ Status: 'finished', Properties: { VideoWidth: null, AudioFormat: 'mp3' } })
  const measured = await measurePlayout(file.Playouts[0].HLS, { hasVideo: false })
  expect(measured).toMatchObject({ size: null, frameCount: 0 })
  expect(measured.beepSeconds).toBeGreaterThan(0.9)
  expect(measured.beepSeconds).toBeLessThan(1.1)
})

test('viewers can choose between the languages of a file', async () => {
  const file = await process('languages.mkv')
  const { HLS, DASH } = file.Playouts[0]
  const multivariant = await request(HLS, 'GET')
  const groups = [...multivariant.body.matchAll(/#EXT-X-MEDIA:TYPE=AUDIO,(.*)/g)].map(([, text = '']) =>
    text.replaceAll(/GROUP-ID="[^"]*",|,CHANNELS.*/g, ''),
  )
  expect(groups).toEqual([
    'NAME="Deutsch",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES',
    'NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES',
    'NAME="Commentary",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=NO',
  ])
  const manifest = await request(DASH, 'GET')
  const sets = [
    ...manifest.body.matchAll(
      /contentType="audio".*lang="(.*?)"[^]*?<Label>(.*?)<.*\s*<Role.*value="(.*?)"/g,
    ),
  ]
  expect(sets.map(([, ...words]) => words)).toEqual([
    ['de', 'Deutsch', 'main'],
    ['en', 'English', 'alternate'],
    ['en', 'Commentary', 'alternate'],
  ])
  expect(file.Renditions.filter(({ Type }: { Type: string }) => Type === 'audio')).toMatchObject([
    { Name: 'source', Language: 'de', Label: 'German' },
    { Name: 'source 3', Language: 'en', Label: 'Commentary' },
    { Name: 'audio 2', Language: 'en', Label: 'English' },
  ])
})
