import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { request } from 'undici'
import { waitFor } from '../support/wait-for.ts'
import type { Installation, KillTarget, Recovery } from './installation.ts'

export interface UploadKill {
  readonly sizeBytes: number
  /** Null sends one big PUT. */
  readonly chunkBytes: number | null
  /** When the sender has written so much of it. */
  readonly killAtByte: number
  readonly target: KillTarget
}

export interface UploadOutcome {
  readonly recovery: Recovery
  readonly acknowledgedBytes: number
  /** Where the server said to go on. */
  readonly resumedAtByte: number
}

interface Progress {
  readonly offset: number
  readonly isComplete: boolean
}

const pieceBytes = 64 * 1024

/** PUTs `bytes` from `offset`; null when the connection broke or the server had no success to tell. */
const put = async (
  uploadUrl: string,
  bytes: Buffer,
  range: { readonly offset: number; readonly end: number; readonly isWhole: boolean },
  onWritten: (position: number) => void,
): Promise<Progress | null> => {
  const { offset, end, isWhole } = range
  function* pieces() {
    for (let position = offset; position < end; position += pieceBytes) {
      onWritten(position)
      yield bytes.subarray(position, Math.min(end, position + pieceBytes))
    }
  }
  try {
    const answer = await request(uploadUrl, {
      method: 'PUT',
      headers: isWhole ? {} : { 'Content-Range': `bytes ${offset}-${end - 1}/${bytes.length}` },
      body: Readable.from(pieces()),
    })
    const progress = (await answer.body.json()) as { Offset: number; IsComplete: boolean }
    return answer.statusCode === 200 ? { offset: progress.Offset, isComplete: progress.IsComplete } : null
  } catch {
    return null
  }
}

const sha256OfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part as Buffer)
  return hash.digest('hex')
}

/**
 * Uploads random bytes as a careful client does, while `target` is killed: after a break it asks for the offset and goes on there. Throws
 * when anything acknowledged is lost, or when the source is not byte for byte what was sent.
 */
export const uploadThroughKill = async (
  installation: Installation,
  projectId: number,
  kill: UploadKill,
): Promise<UploadOutcome> => {
  const bytes = randomBytes(kill.sizeBytes)
  const created = await installation.call('POST', `/projects/${projectId}/files`, {
    FileName: 'killed.mp4',
    FileSize: bytes.length,
  })
  assert.equal(created.status, 201)
  const fileId = created.body.Id as number
  const uploadUrl = created.body.Upload.URI as string
  const recoveries: Promise<Recovery>[] = []
  const onWritten = (position: number): void => {
    if (position >= kill.killAtByte && recoveries.length === 0)
      recoveries.push(installation.killAndRecover(kill.target))
  }

  let acknowledgedBytes = 0
  let resumedAtByte = 0
  let offset = 0
  let isComplete = false
  while (!isComplete && offset < bytes.length) {
    const isWhole = kill.chunkBytes === null && offset === 0
    const end = kill.chunkBytes === null ? bytes.length : Math.min(bytes.length, offset + kill.chunkBytes)
    const progress = await put(uploadUrl, bytes, { offset, end, isWhole }, onWritten)
    if (progress !== null) {
      acknowledgedBytes = Math.max(acknowledgedBytes, progress.offset)
      ;({ offset, isComplete } = progress)
      continue
    }
    assert.equal(recoveries.length, 1, 'an upload that nobody disturbed broke off')
    await recoveries[0]
    const head = await fetch(uploadUrl, { method: 'HEAD' })
    assert.equal(head.status, 200)
    offset = Number(head.headers.get('upload-offset'))
    resumedAtByte = offset
    assert.ok(
      offset >= acknowledgedBytes,
      `${acknowledgedBytes} bytes were acknowledged, but the offset is ${offset}`,
    )
    // What HEAD tells is acknowledged too; all bytes may have been on disk when the kill came.
    acknowledgedBytes = offset
  }
  const recovery = await (recoveries[0] ?? installation.killAndRecover(kill.target))

  // Random bytes are no video: that the file ends says that the worker got the upload.
  const { body: file } = await waitFor(
    () => installation.call('GET', `/projects/${projectId}/files/${fileId}`),
    ({ body }) => body.IsFinished === true,
    60_000,
  )
  assert.equal(file.Status, 'failed')
  const source = join(installation.dataFolder, 'media', 'blobs', `a1/p${projectId}/f${fileId}/source`)
  assert.equal(await sha256OfFile(source), createHash('sha256').update(bytes).digest('hex'))
  return { recovery, acknowledgedBytes, resumedAtByte }
}
