import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../support/media.ts'
import { waitFor } from '../support/wait-for.ts'
import { createInstallation, type Installation } from './installation.ts'
import { listLeftovers } from './media-inventory.ts'

let installation: Installation

beforeAll(async () => {
  installation = await createInstallation()
  await installation.start()
})

afterAll(() => installation.remove())

test('after kill -9 of everything, the playable part of an upload still plays, and the upload resumes and completes', async () => {
  const bytes = await makeSample({ seconds: 10, extra: ['-movflags', '+faststart'] })
  const project = await installation.call('POST', '/projects', { Name: 'Play while uploading' })
  const files = `/projects/${project.body.Id}/files`
  const { body: created } = await installation.call('POST', files, {
    FileName: 'clip.mp4',
    Metadata: { ReleaseStatus: 'published' },
  })
  const send = (from: number, to: number) =>
    fetch(created.Upload.URI, {
      method: 'PUT',
      body: new Uint8Array(bytes.subarray(from, to)),
      headers: { 'Content-Range': `bytes ${from}-${to - 1}/${bytes.length}` },
    })
  const get = async () => (await installation.call('GET', `${files}/${created.Id}`)).body
  const middle = Math.floor(bytes.length * 0.7)
  expect((await send(0, middle)).status).toBe(200)
  const playable = await waitFor(get, ({ IsPlayable }) => IsPlayable)
  const base = `${installation.url}/v/${created.Playouts[0].Id}/${playable.Renditions[0].Id}`
  const segment = async () => Buffer.from(await (await fetch(`${base}/0.m4s`)).arrayBuffer())
  const first = await segment()

  await installation.killAndRecover('everything')
  expect((await segment()).equals(first)).toBe(true)
  const head = await fetch(created.Upload.URI, { method: 'HEAD' })
  const offset = Number(head.headers.get('upload-offset'))
  expect(offset).toBe(middle)
  expect((await send(offset, bytes.length)).status).toBe(200)
  await waitFor(get, ({ Status }) => Status === 'finished')
  expect((await segment()).equals(first)).toBe(true)
  expect(await (await fetch(`${base}/playlist.m3u8`)).text()).toContain('#EXT-X-ENDLIST')
  // The storyboard and previews may still be in progress.
  await waitFor(
    () => listLeftovers(installation.dataFolder),
    (leftovers) => leftovers.length === 0,
  )
})
