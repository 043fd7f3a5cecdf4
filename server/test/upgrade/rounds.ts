import { setTimeout as delay } from 'node:timers/promises'
import type { Client, Round } from './load.ts'

/** What was acknowledged, to compare it with the end state. */
export interface Acknowledged {
  readonly projectIds: number[]
  readonly finishedFileIds: number[]
}

/** Records of all kinds. Each change is read back, often from the other release. */
export const backEndRound =
  (acknowledged: Acknowledged): Round =>
  async ({ call, check }) => {
    const project = await call('POST', '/projects', { Name: 'Rolling' })
    acknowledged.projectIds.push(project.Id)
    const files = `/projects/${project.Id}/files`
    const file = await call('POST', files, { FileName: 'clip.mp4', Metadata: { Title: 'One' } })
    await call('PUT', `${files}/${file.Id}/metadata`, { Title: 'Two' })
    check('a change is not visible', (await call('GET', `${files}/${file.Id}`)).Metadata.Title === 'Two')
    const list = await call('GET', `${files}?limit=5`)
    check('a file is not in its list', list.Files[0].Id === file.Id)
    const playlist = await call('POST', '/modules/playlists', {
      ...{ Name: 'List', Type: 'manual', ProjectId: project.Id },
      Elements: [{ FileId: file.Id }],
    })
    const read = await call('GET', `/modules/playlists/${playlist.Id}`)
    check('a playlist lost its element', read.Elements.length === 1)
    const webhook = await call('POST', '/modules/notifications', {
      ...{ TargetURL: 'http://127.0.0.1:9/', EventTypes: ['file.new'], ProjectId: project.Id },
    })
    await call('DELETE', `/modules/notifications/${webhook.Id}`)
    const key = await call('POST', '/apikeys', { Label: 'Short', Scopes: ['projects:read'] })
    await call('DELETE', `/apikeys/${key.Id}`)
    for (const path of ['/me', '/usage', '/audit?limit=2', '/events?limit=2', '/users', '/encodings'])
      await call('GET', path)
    await call('GET', '/projects?limit=2')
    await call('GET', `/projects/${project.Id}/live/status`)
    await call('DELETE', `${files}/${file.Id}`)
    await call('DELETE', `/projects/${project.Id}`)
  }

/** Signs in by password, uses the session at whichever node, and signs out. */
export const signInRound =
  (email: string, password: string): Round =>
  async ({ send, check }) => {
    const signedIn = await send('POST', '/v3/session', {
      body: { Email: email, Password: password },
      isAnonymous: true,
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')
    const headers = { Cookie: cookie, 'X-CSRF-Token': String(signedIn.body.CsrfToken) }
    // Sign-ins of one address are limited.
    for (const endMs = performance.now() + 15_000; performance.now() < endMs;) {
      await delay(50)
      const session = await send('GET', '/v3/session', { headers, isAnonymous: true })
      check('a session belongs to somebody else', session.body.User.Email === email)
    }
    await send('DELETE', '/v3/session', { headers, isAnonymous: true })
  }

const linesOf = (playlist: string): string[] =>
  playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

/** Loads the playlists and the first segment, as a player does. */
const play = async ({ send, check }: Client, hls: string): Promise<void> => {
  const get = async (url: string): Promise<string> => (await send('GET', url, { isAnonymous: true })).body
  const media = new URL(linesOf(await get(hls))[0] ?? '', hls).href
  const playlist = await get(media)
  check('a playlist has no end', playlist.includes('#EXT-X-ENDLIST'))
  await get(new URL(linesOf(playlist)[0] ?? '', media).href)
}

/** Uploads a video in two requests, waits until it is finished, plays it and deletes it. */
export const mediaRound =
  (acknowledged: Acknowledged, source: Buffer): Round =>
  async (client) => {
    const { call, send, check } = client
    const project = await call('POST', '/projects', { Name: 'Media', DefaultReleaseStatus: 'published' })
    acknowledged.projectIds.push(project.Id)
    const files = `/projects/${project.Id}/files`
    const file = await call('POST', files, { FileName: 'clip.mp4', FileSize: source.length })
    const tus = { 'Tus-Resumable': '1.0.0', 'Content-Type': 'application/offset+octet-stream' }
    const half = Math.floor(source.length / 2)
    for (const [from, to] of [
      [0, half],
      [half, source.length],
    ] as const) {
      await send('PATCH', file.Upload.TusURI, {
        body: source.subarray(from, to),
        headers: { ...tus, 'Upload-Offset': String(from) },
        isAnonymous: true,
      })
      // Long enough that nodes start and stop between the halves of some uploads.
      await delay(500)
    }
    for (
      let record = await call('GET', `${files}/${file.Id}`);
      ;
      record = await call('GET', `${files}/${file.Id}`)
    ) {
      if (record.IsFinished === true) {
        check(`a file is ${record.Status}: ${record.ErrorMessage}`, record.Status === 'finished')
        acknowledged.finishedFileIds.push(file.Id)
        await play(client, record.Playouts[0].HLS)
        await play(client, record.Playouts[0].HLS)
        break
      }
      await delay(100)
    }
    const clip = { Language: 'en', Content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHi\n' }
    await call('POST', `${files}/${file.Id}/captions`, clip)
    await call('DELETE', `${files}/${file.Id}`)
  }
