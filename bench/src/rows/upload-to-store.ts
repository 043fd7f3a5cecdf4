import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { s3Settings, startS3Server } from '../../../server/test/support/s3-server.ts'
import { startCountingProxy } from '../capacity/counting-proxy.ts'
import { makeFolder, type BenchContext } from '../harness/context.ts'
import { startProduct } from '../harness/product.ts'
import { makeRow, type Row } from '../harness/row.ts'
import { sendFile } from './playable.ts'
import { untilFailed, writeRandomFile } from './upload.ts'

const MiB = 1024 * 1024

/** Size of one PATCH of a client that sends small pieces. */
const pieceBytes = MiB

/**
 * Uploads whose bytes go to an S3 store as they arrive: time from the last byte to the response, and the bytes and
 * requests that the store gets for one uploaded byte.
 */
export const measureUploadToStore = async (context: BenchContext): Promise<Row[]> => {
  const s3 = await startS3Server()
  if ('unavailable' in s3) {
    context.say(`left out: ${s3.unavailable}`)
    return []
  }
  context.defer(s3.stop)
  const proxy = await startCountingProxy(s3.endpoint)
  context.defer(proxy.stop)
  const product = await startProduct(
    context,
    await makeFolder(context, 'data'),
    s3Settings({ ...s3, endpoint: proxy.endpoint }),
  )
  const project = await product.call('POST', '/projects', { Name: 'Uploads' })
  const files = `/projects/${project.body.Id}/files`

  const measure = async (
    sizeBytes: number,
    send: (uri: string, path: string) => Promise<{ sentMs: number; answeredMs: number }>,
  ) => {
    const path = join(context.workFolder, 'source.bin')
    await writeRandomFile(path, sizeBytes)
    const created = await product.call('POST', files, { FileName: 'bytes.mp4', FileSize: sizeBytes })
    const before = proxy.read()
    const startedMs = performance.now()
    const { sentMs, answeredMs } = await send(created.body.Upload.URI, path)
    const after = proxy.read()
    await rm(path)
    await untilFailed(product, `${files}/${created.body.Id}`)
    await product.call('DELETE', `${files}/${created.body.Id}`)
    return {
      completionSeconds: (answeredMs - sentMs) / 1000,
      amplification: (after.sentBytes - before.sentBytes) / sizeBytes,
      note:
        `${(sizeBytes / 1e9).toFixed(2)} GB, ${(sizeBytes / 1e3 / (answeredMs - startedMs)).toFixed(0)} MB/s, ` +
        `${after.writes - before.writes} writes, ${after.reads - before.reads} reads`,
    }
  }

  context.say('one PUT')
  const whole = await measure((context.isQuick ? 256 : 2_048) * MiB, async (uri, path) => {
    const { sentMs, answer } = await sendFile(uri, path, (context.isQuick ? 256 : 2_048) * MiB)
    return { sentMs, answeredMs: await answer }
  })
  context.say('small PATCHes')
  const pieceCount = context.isQuick ? 32 : 256
  const pieces = await measure(pieceCount * pieceBytes, async (uri) => {
    const piece = Buffer.alloc(pieceBytes, 7)
    let sentMs = 0
    for (let index = 0; index < pieceCount; index += 1) {
      sentMs = performance.now()
      const answer = await fetch(uri, {
        method: 'PATCH',
        headers: {
          'Tus-Resumable': '1.0.0',
          'Content-Type': 'application/offset+octet-stream',
          'Upload-Offset': String(index * pieceBytes),
        },
        body: piece,
      })
      if (answer.status !== 204) throw new Error(`A PATCH answered ${answer.status}: ${await answer.text()}`)
    }
    return { sentMs, answeredMs: performance.now() }
  })
  return [
    makeRow({
      name: 'upload to S3 by PUT: last byte to response',
      value: whole.completionSeconds,
      unit: 's',
      goal: { of: 'value', atMost: 2 },
      note: whole.note,
    }),
    makeRow({
      name: 'upload to S3 by PUT: bytes to the store',
      value: whole.amplification,
      unit: '× uploaded',
      goal: { of: 'value', atMost: 1.1 },
    }),
    makeRow({
      name: 'upload to S3 in PATCHes of 1 MiB: bytes to the store',
      value: pieces.amplification,
      unit: '× uploaded',
      goal: { of: 'value', atMost: 2.1 },
      note: pieces.note,
    }),
  ]
}
