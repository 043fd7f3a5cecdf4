import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runFfmpeg } from '@zoetrope/ffmpeg'
import type { Log } from '../../platform/log/log.ts'
import { credentialFiles } from './first-credentials.ts'

const sampleSeconds = 20

/** Slowly changing colours with a clock, and two soft tones, to show that picture and sound work. */
const sampleArguments = (outputPath: string): string[] =>
  [
    [
      '-f',
      'lavfi',
      '-i',
      `gradients=size=1280x720:rate=30:duration=${sampleSeconds}:speed=0.02:nb_colors=4:seed=7`,
    ],
    ['-f', 'lavfi', '-i', `testsrc=size=320x180:rate=30:duration=${sampleSeconds}`],
    ['-f', 'lavfi', '-i', `sine=frequency=220:duration=${sampleSeconds}`],
    ['-f', 'lavfi', '-i', `sine=frequency=277.18:duration=${sampleSeconds}`],
    ['-filter_complex', '[0][1]overlay=x=W-w-40:y=H-h-40[v];[2][3]amix=inputs=2,tremolo=f=0.5,volume=0.5[a]'],
    [
      '-map',
      '[v]',
      '-map',
      '[a]',
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '23',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '60',
    ],
    ['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-movflags', '+faststart', '-f', 'mp4', outputPath],
  ].flat()

interface CommandLineCredentials {
  readonly ApiBase: string
  readonly ApiKey: string
}

const call = async (credentials: CommandLineCredentials, method: string, path: string, body?: object) => {
  const response = await fetch(`${credentials.ApiBase}${path}`, {
    method,
    headers: { Authorization: `Bearer ${credentials.ApiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

/** Creates the project "Demo" and uploads a sample video through the public API, unless a project exists or existed. */
export const createDemo = async (options: {
  readonly dataFolder: string
  /** URL at which this process reaches its own API, independent of the public URL. */
  readonly localUrl: string
  readonly log: Log
  /** Called before the demo is created, which takes some seconds. */
  readonly onBegin: () => void
}): Promise<void> => {
  const marker = join(options.dataFolder, 'demo.json')
  if (existsSync(marker)) return
  const file = credentialFiles(options.dataFolder).commandLine
  const { ApiKey } = JSON.parse(await readFile(file, 'utf8')) as CommandLineCredentials
  const credentials = { ApiBase: `${options.localUrl}/v3`, ApiKey }
  const projects = await call(credentials, 'GET', '/projects?limit=1')
  if (projects['TotalCount'] !== 0) return
  options.onBegin()
  const workFolder = await mkdtemp(join(options.dataFolder, 'demo-'))
  try {
    const samplePath = join(workFolder, 'sample.mp4')
    await runFfmpeg(sampleArguments(samplePath), { outputPipes: 0, workFolder }).done
    const bytes = await readFile(samplePath)
    const project = await call(credentials, 'POST', '/projects', {
      Name: 'Demo',
      DefaultReleaseStatus: 'published',
    })
    // The marker prevents a deleted demo from returning at the next start.
    await writeFile(marker, JSON.stringify({ ProjectId: project['Id'] }))
    const created = await call(credentials, 'POST', `/projects/${String(project['Id'])}/files`, {
      FileName: 'sample.mp4',
      FileSize: bytes.length,
      Metadata: { Title: 'Sample video', Description: 'Rendered by Zoetrope on its first start.' },
    })
    const { URI } = created['Upload'] as { URI: string }
    const uploaded = await fetch(`${options.localUrl}${new URL(URI).pathname}`, {
      method: 'PUT',
      body: bytes,
    })
    if (!uploaded.ok) throw new Error(`the upload returned ${uploaded.status}`)
    options.log.info({ projectId: project['Id'], fileId: created['Id'] }, 'demo project created')
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}
