import { spawn, type ChildProcess } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import type { Zoetrope } from '@zoetrope/sdk'
import { sampleVideos } from './library.ts'
import { runProgram } from './run-program.ts'
import { makeVideo } from './scenes.ts'

export interface Installation {
  readonly zoetrope: Zoetrope
  readonly productUrl: string
  readonly apiKey: string
}

export interface Filled {
  readonly projectId: number
  readonly fileId: number
  readonly liveProjectId: number
  readonly webhookId: number
  readonly stop: () => void
}

/** Responds like a back end: to most requests at once, and to every ninth one with an error, so that it is retried. */
const startReceiver = async (): Promise<{ readonly url: string; readonly server: Server }> => {
  let count = 0
  const server = createServer((request, response) => {
    request.resume()
    count += 1
    response.writeHead(count % 9 === 0 ? 503 : 204).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/zoetrope`, server }
}

/** Encodes a video once as live encoders do, so that sending it in a loop costs almost nothing. */
const encodeForLive = async (source: string, target: string): Promise<void> => {
  await runProgram('ffmpeg', [
    ...['-v', 'error', '-y', '-i', source],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-tune', 'zerolatency', '-g', '50'],
    ...['-x264-params', 'nal-hrd=cbr', '-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k'],
    ...['-c:a', 'aac', '-f', 'flv', target],
  ])
}

const broadcast = (source: string, target: string): ChildProcess =>
  spawn(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-re', '-stream_loop', '-1', '-i', source, '-c', 'copy', '-f', 'flv', target],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )

/** Sends the bytes to the port of the product, because the address in the record is that of the pictures. */
const uploadVideo = async (
  { productUrl, apiKey }: Installation,
  projectId: number,
  video: string,
): Promise<number> => {
  const answer = await fetch(`${productUrl}/v3/projects/${projectId}/files?fileName=${basename(video)}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'video/mp4' },
    body: await readFile(video),
  })
  if (!answer.ok) throw new Error(`cannot upload ${video}: ${await answer.text()}`)
  return ((await answer.json()) as { readonly Id: number }).Id
}

/** Every source plays directly, so the pictures need no other rendition. */
const withoutLadder = { UseEncoding: false }

/** Creates what the pictures show: a project with videos, a webhook with deliveries, and a broadcast. */
export const fillProduct = async (installation: Installation, folder: string): Promise<Filled> => {
  const { zoetrope } = installation
  const { url, server } = await startReceiver()
  const webhook = await zoetrope.webhooks.create({ Label: 'Newsroom', TargetURL: url, EventTypes: ['*'] })
  const project = await zoetrope.projects.create({
    Name: 'Documentaries',
    DefaultReleaseStatus: 'published',
    EncoderSettings: withoutLadder,
  })
  let fileId = 0
  let source = ''
  for (const { name, title, description, tags, seconds, scene } of sampleVideos) {
    source = await makeVideo(folder, name, scene, seconds)
    fileId = await uploadVideo(installation, project.Id, source)
    await zoetrope.files.updateMetadata(project.Id, fileId, {
      Title: title,
      Description: description,
      Tags: [...tags],
    })
    await zoetrope.files.waitFor(project.Id, fileId, 'finished')
  }
  const live = await zoetrope.projects.create({
    Name: 'Town hall',
    DefaultReleaseStatus: 'published',
    EncoderSettings: withoutLadder,
  })
  await zoetrope.live.updateIngest(live.Id, { Title: 'Expedition live', AutoRecording: true })
  const { ServerURI, StreamName } = (await zoetrope.live.ingest(live.Id)).StreamInConnection
  const loop = join(folder, 'live.flv')
  await encodeForLive(source, loop)
  const publisher = broadcast(loop, `${ServerURI}/${StreamName}`)
  return {
    projectId: project.Id,
    fileId,
    liveProjectId: live.Id,
    webhookId: webhook.Id,
    stop: () => {
      publisher.kill('SIGKILL')
      server.close()
    },
  }
}
