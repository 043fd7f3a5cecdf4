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
  /** Null sends one large PUT. */
  readonly chunkBytes: number | null
  readonly killAtByte: number
  readonly target: KillTarget
  /** Default: put. */
  readonly protocol?: 'put' | 'tus'
}

export interface UploadOutcome {
  readonly recovery: Recovery
  readonly acknowledgedBytes: number
  /** Offset at which the server resumed. */
  readonly resumedAtByte: number
}

interface Progress {
  readonly offset: number
  readonly isComplete: boolean
}

const pieceBytes = 64 * 1024

interface Range {
  readonly offset: number
  readonly end: number
  readonly totalBytes: number
  readonly isWhole: boolean
}

/** How each protocol states the position of bytes and reports the offset of the server. */
const protocols = {
  put: {
    method: 'PUT',
    headersOf: ({ offset, end, totalBytes, isWhole }: Range): Record<string, string> =>
      isWhole ? {} : { 'Content-Range': `bytes ${offset}-${end - 1}/${totalBytes}` },
    successStatus: 200,
    headHeaders: {},
  },
  tus: {
    method: 'PATCH',
    headersOf: ({ offset }: Range): Record<string, string> => ({
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
    }),
    successStatus: 204,
    headHeaders: { 'Tus-Resumable': '1.0.0' },
  },
} as const

/** Sends `bytes` from `offset`. Returns null when the connection breaks or the server reports no success. */
const send = async (
  uploadUrl: string,
  bytes: Buffer,
  range: Range,
  protocol: (typeof protocols)['put' | 'tus'],
  onWritten: (position: number) => void,
): Promise<Progress | null> => {
  const { offset, end } = range
  function* pieces() {
    for (let position = offset; position < end; position += pieceBytes) {
      onWritten(position)
      yield bytes.subarray(position, Math.min(end, position + pieceBytes))
    }
  }
  try {
    const answer = await request(uploadUrl, {
      method: protocol.method,
      headers: protocol.headersOf(range),
      body: Readable.from(pieces()),
    })
    await answer.body.dump()
    if (answer.statusCode !== protocol.successStatus) return null
    const acknowledged = Number(answer.headers['upload-offset'])
    return { offset: acknowledged, isComplete: acknowledged === bytes.length }
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
 * Uploads random bytes as a careful client does while `target` is killed. After an interruption, it requests
 * the offset and resumes there. Throws when acknowledged bytes are lost, or when the source differs from the
 * bytes sent.
 */
export const uploadThroughKill = async (
  installation: Installation,
  projectId: number,
  kill: UploadKill,
): Promise<UploadOutcome> => {
  const bytes = randomBytes(kill.sizeBytes)
  const protocol = protocols[kill.protocol ?? 'put']
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
    const range = { offset, end, totalBytes: bytes.length, isWhole }
    const progress = await send(uploadUrl, bytes, range, protocol, onWritten)
    if (progress !== null) {
      acknowledgedBytes = Math.max(acknowledgedBytes, progress.offset)
      ;({ offset, isComplete } = progress)
      continue
    }
    assert.equal(recoveries.length, 1, 'an upload that nobody disturbed broke off')
    await recoveries[0]
    const head = await fetch(uploadUrl, { method: 'HEAD', headers: protocol.headHeaders })
    assert.equal(head.status, 200)
    offset = Number(head.headers.get('upload-offset'))
    resumedAtByte = offset
    assert.ok(
      offset >= acknowledgedBytes,
      `${acknowledgedBytes} bytes were acknowledged, but the offset is ${offset}`,
    )
    // The offset from HEAD counts as acknowledged too: all bytes may have been on disk at the kill.
    acknowledgedBytes = offset
  }
  const recovery = await (recoveries[0] ?? installation.killAndRecover(kill.target))

  // Random bytes are no video: an ended file proves that the worker received the upload.
  const { body: file } = await waitFor(
    () => installation.call('GET', `/projects/${projectId}/files/${fileId}`),
    ({ body }) => body.IsFinished === true,
  )
  assert.equal(file.Status, 'failed')
  const source = join(installation.dataFolder, 'media', 'blobs', `a1/p${projectId}/f${fileId}/source`)
  assert.equal(await sha256OfFile(source), createHash('sha256').update(bytes).digest('hex'))
  return { recovery, acknowledgedBytes, resumedAtByte }
}
