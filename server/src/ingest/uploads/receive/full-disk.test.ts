import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { request, startTestServer } from '../../../../test/support/test-server.ts'

const MiB = 1024 * 1024

test('a full disk answers 507 and drops unacknowledged bytes, and both uploads complete once there is space', async (context) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'zoetrope-small-'))
  const mount = spawnSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', dataFolder])
  if (mount.status !== 0) return context.skip('mounting a small file system takes root')
  const server = await startTestServer({ environment: { ZOETROPE_DATA: dataFolder } })
  try {
    const project = await server.call('POST', '/projects', { body: { Name: 'Small' } })
    const files = `/projects/${project.body.Id}/files`
    const newUpload = async (sizeBytes: number): Promise<string> => {
      const created = await server.call('POST', files, { body: { FileName: 'a.mp4', FileSize: sizeBytes } })
      return created.body.Upload.URI
    }
    const sendAll = (uri: string, sizeBytes: number) =>
      request(uri, 'PUT', { body: Buffer.alloc(sizeBytes, 7) })

    const large = await newUpload(40 * MiB)
    const firstPart = await request(large, 'PUT', {
      body: Buffer.alloc(MiB, 7),
      headers: { 'Content-Range': `bytes 0-${MiB - 1}/${40 * MiB}` },
    })
    expect(firstPart.status).toBe(200)
    const refused = await request(large, 'PUT', {
      body: Buffer.alloc(39 * MiB, 7),
      headers: { 'Content-Range': `bytes ${MiB}-${40 * MiB - 1}/${40 * MiB}` },
    })
    expect(refused.status).toBe(507)
    expect(refused.body.error.message).toContain('full')
    const progress = await request(large, 'HEAD')
    expect(progress.headers.get('upload-offset')).toBe(String(MiB))

    // Other uploads continue as long as they fit.
    expect((await sendAll(await newUpload(8 * MiB), 8 * MiB)).status).toBe(200)
    const form = new FormData()
    form.set('file', new Blob([Buffer.alloc(30 * MiB)]), 'b.mp4')
    expect((await server.call('POST', files, { body: form })).status).toBe(507)
    const raw = await server.call('POST', files, {
      body: Buffer.alloc(30 * MiB),
      headers: { 'Content-Type': 'video/mp4' },
    })
    expect(raw.status).toBe(507)
    expect((await readdir(join(dataFolder, 'uploads'))).length).toBe(1)
    expect((await sendAll(await newUpload(2 * MiB), 2 * MiB)).status).toBe(200)
    expect((await server.call('GET', files)).body.TotalCount).toBe(3)

    const grown = spawnSync('/bin/mount', ['-o', 'remount,size=128m', dataFolder])
    expect(grown.status).toBe(0)
    const rest = await request(large, 'PUT', {
      body: Buffer.alloc(39 * MiB, 7),
      headers: { 'Content-Range': `bytes ${MiB}-${40 * MiB - 1}/${40 * MiB}` },
    })
    expect(rest.status).toBe(200)
    expect(await readdir(join(dataFolder, 'uploads'))).toEqual([])
  } finally {
    await server.stop()
    spawnSync('/bin/umount', [dataFolder])
    await rm(dataFolder, { recursive: true, force: true })
  }
})
