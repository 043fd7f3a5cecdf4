import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isTrouble } from './client.ts'
import type { PullSources } from './receiver.ts'
import type { Samples } from './samples.ts'
import { keepDoing, type World } from './world.ts'

const KiB = 1024
const methods = ['put', 'put', 'tus', 'tus', 'tus-creation', 'body', 'pull'] as const
/** Some are larger than a part of a multipart upload. */
const paddings = [50 * KiB, 300 * KiB, 300 * KiB, 900 * KiB, 20_000 * KiB] as const
const requestsOfAnUpload = [2, 8] as const
const pauseOfSenderMs = [20, 500] as const
const pauseMs = [500, 4_000] as const
/** The next upload waits for the encode of this one, so that encodes do not pile up. */
const encodeMs = 120_000
const deletedShare = 0.2
/** A body whose length is unknown to the client once more after so many failures. */
const mostFailures = 400

const tus = { 'Tus-Resumable': '1.0.0' }

interface Sent {
  readonly fileId: number
  /** Null when the file came without an upload of its own. */
  readonly uploadUri: string | null
}

/** Sends the bytes in several requests, each to any node, and continues at the offset of the server after a failure. */
const sendBytes = async (
  { client, random }: World,
  uri: string,
  bytes: Buffer<ArrayBuffer>,
  isTus: boolean,
): Promise<void> => {
  const sizeBytes = bytes.length
  const pieceBytes = Math.ceil(sizeBytes / random.between(...requestsOfAnUpload))
  let acknowledged = 0
  let offset = 0
  for (let failures = 0; offset < sizeBytes;) {
    const end = Math.min(sizeBytes, offset + pieceBytes)
    const answer = await client.ask(uri, {
      method: isTus ? 'PATCH' : 'PUT',
      headers: isTus
        ? { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(offset) }
        : { 'Content-Range': `bytes ${offset}-${end - 1}/${sizeBytes}` },
      body: bytes.subarray(offset, end),
    })
    if (answer?.status === (isTus ? 204 : 200)) {
      offset = Number(answer.headers.get('upload-offset'))
      if (offset !== end) throw new Error(`the offset is ${offset} after ${end} bytes were sent`)
      acknowledged = offset
      await delay(random.between(...pauseOfSenderMs))
      continue
    }
    if (answer !== null && ![404, 409, 423].includes(answer.status) && !isTrouble(answer.status))
      throw new Error(`bytes ${offset}-${end} were answered ${answer.status} ${JSON.stringify(answer.body)}`)
    failures += 1
    if (failures > mostFailures) throw new Error(`the upload failed ${failures} times`)
    await delay(300)
    const head = await client.insist(uri, [200, 404], { method: 'HEAD', headers: isTus ? tus : {} })
    // A complete upload is gone after a while: the caller asks for its file.
    if (head.status === 404) return
    offset = Number(head.headers.get('upload-offset'))
    if (offset < acknowledged)
      throw new Error(`LOST: ${acknowledged} bytes were acknowledged, but the offset is ${offset}`)
    acknowledged = offset
  }
}

/** One uploader: uploads, waits until the file is encoded, and sometimes deletes it. */
export const upload = async (
  world: World,
  projectId: number,
  name: string,
  { samples, sources }: { readonly samples: Samples; readonly sources: PullSources },
): Promise<void> => {
  const { client, journal, random, over } = world
  const folder = `/v3/projects/${projectId}/files`
  let count = 0

  const create = async (fileName: string, body: object): Promise<Sent> => {
    const answer = await client.insist(folder, [201], {
      method: 'POST',
      headers: { 'Idempotency-Key': fileName },
      body: { FileName: fileName, ...body },
    })
    return { fileId: answer.body.Id, uploadUri: answer.body.Upload?.URI ?? null }
  }

  const send = async (
    method: (typeof methods)[number],
    fileName: string,
    bytes: Buffer<ArrayBuffer>,
    sha256: string,
  ): Promise<number | null> => {
    if (method === 'pull') {
      const { fileId } = await create(fileName, { SourceURI: sources.add(fileName, bytes) })
      return fileId
    }
    if (method === 'body') {
      // Without an answer, the file may exist or not: a repeat would be another one.
      const answer = await client.ask(`${folder}?fileName=${fileName}`, {
        method: 'POST',
        headers: { 'Content-Type': 'video/mp4' },
        body: bytes,
      })
      if (answer !== null && answer.status !== 201 && !isTrouble(answer.status))
        throw new Error(`a body was answered ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer?.status === 201 ? answer.body.Id : null
    }
    if (method === 'tus-creation') {
      const created = await client.ask(`/v3/projects/${projectId}/tus`, {
        method: 'POST',
        headers: {
          ...tus,
          'Upload-Length': String(bytes.length),
          'Upload-Metadata': `filename ${Buffer.from(fileName).toString('base64')}`,
        },
      })
      if (created?.status !== 201) {
        if (created !== null && !isTrouble(created.status))
          throw new Error(`tus creation was answered ${created.status} ${JSON.stringify(created.body)}`)
        return null
      }
      await sendBytes(world, created.headers.get('location') ?? '', bytes, true)
      return created.body.Id
    }
    const checksum = random.next() < 0.5 ? { Checksum: sha256 } : {}
    const { fileId, uploadUri } = await create(fileName, { FileSize: bytes.length, ...checksum })
    if (uploadUri === null) throw new Error(`file ${fileId} has no upload URL`)
    await sendBytes(world, uploadUri, bytes, method === 'tus')
    return fileId
  }

  await keepDoing(world, `uploader ${name}`, pauseMs, async () => {
    const method = random.pick(methods)
    const fileName = `${name}-${++count}.mp4`
    const bytes = samples.next(random.pick(paddings))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const fileId = await send(method, fileName, bytes, sha256).catch((error: unknown) => {
      throw new Error(`${method} of ${fileName}: ${(error as Error).message}`)
    })
    if (fileId === null) return
    journal.write({
      kind: 'uploaded',
      projectId,
      fileId,
      name: fileName,
      method,
      sizeBytes: bytes.length,
      sha256,
    })
    const path = `${folder}/${fileId}`
    const untilMs = performance.now() + encodeMs
    while (!over.aborted && performance.now() < untilMs) {
      const { body } = await client.insist(path, [200])
      if (body.IsFinished === true) break
      await delay(1_000)
    }
    if (random.next() < deletedShare) {
      // A repeated request may find that the first one has deleted the file.
      await client.insist(path, [200, 204, 404], { method: 'DELETE' })
      journal.write({ kind: 'deleted', projectId, fileId })
    }
  })
}
