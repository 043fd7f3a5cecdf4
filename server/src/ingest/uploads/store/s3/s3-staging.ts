import { Problem } from '../../../../platform/base/problem.ts'
import { BlobNotFoundError } from '../../../../platform/blobs/blob-store.ts'
import type { Staging, StagedBytes } from '../staging.ts'
import { takeBody } from '../take-body.ts'
import { planJoin, type JoinedPart, type SourceRange } from './join-plan.ts'
import { createLeases, takenOver, type Lease } from './leases.ts'
import { stagedFolder } from '../stagings.ts'
import { openPartWriter, type S3Dependencies } from './part-writer.ts'
import { openSha256 } from './sha256-state.ts'
import {
  commitPieces,
  deleteStaged,
  dropPieces,
  findSize,
  listPieces,
  reservePart,
  setMultipart,
  type Piece,
} from './staged-rows.ts'

const parallelCopies = 4

/**
 * Bytes in the bucket, as parts of the multipart upload that becomes the blob (decision 0018). PostgreSQL knows
 * the parts, so every node can continue; nothing is copied at the end.
 */
export const createS3Staging = (dependencies: S3Dependencies): Staging => {
  const { sql, blobs, multiparts } = dependencies
  const leases = createLeases(sql)

  const startOver = async (lease: Lease): Promise<void> => {
    const { blob, name } = lease.bytes
    const objects = await listPieces(sql, name, 'objects')
    const { multipartId } = lease.row
    if (!(await dropPieces(sql, lease.row))) throw takenOver()
    lease.row = { ...lease.row, sizeBytes: 0, sha256State: null, multipartId: null, partBytes: null }
    if (multipartId !== null) await multiparts.abort(blob, multipartId)
    for (const { object } of objects) await blobs.delete(object ?? '')
  }

  /**
   * The bucket no longer has acknowledged bytes: a lifecycle rule deleted them, or a restored database names older
   * ones. Without a new start, each later request would fail.
   */
  const lost = async (lease: Lease, cause: unknown): Promise<Problem> => {
    await startOver(lease)
    return new Problem('upload_offset_mismatch', { offset: 0 }, { headers: { 'Upload-Offset': '0' }, cause })
  }

  const append: Staging['append'] = async (name, body, options) => {
    const lease = leases.of(name)
    const { offset, isAccepted } = options
    if (offset === 0 && lease.row.sizeBytes > 0) await startOver(lease)
    if (offset !== lease.row.sizeBytes)
      throw new Error(`Staged bytes ${name} have ${lease.row.sizeBytes} bytes, not ${offset}.`)
    const writer = await openPartWriter(dependencies, lease, {
      sizeBytes: options.sizeBytes ?? lease.bytes.sizeBytes,
      sha256: lease.bytes.isHashed ? await openSha256(lease.row.sha256State) : null,
      isAtomic: isAccepted !== undefined,
    })
    let sizeBytes = offset
    try {
      const isWhole = await takeBody(body, options, (chunk) => {
        sizeBytes += chunk.length
        return writer.push(chunk)
      })
      if (isAccepted !== undefined && !(isWhole && isAccepted()))
        return { sizeBytes: offset, isWhole, isAccepted: false }
      await writer.finish(sizeBytes === options.sizeBytes)
      return { sizeBytes, isWhole, isAccepted: true }
    } catch (error) {
      if (!(error instanceof BlobNotFoundError)) throw error
      await writer.settle()
      throw await lost(lease, error)
    } finally {
      await writer.settle()
    }
  }

  const noBytes = async function* (): AsyncGenerator<Buffer> {}

  const moveToBlob: Staging['moveToBlob'] = async ({ name, blob, sizeBytes }) => {
    const lease = leases.of(name)
    // Objects after the last part become the last one.
    if ((await listPieces(sql, name, 'objects')).length > 0) {
      const { sizeBytes: offset } = lease.row
      await append(name, noBytes(), { offset, maxSizeBytes: offset, sizeBytes: offset })
    }
    const parts = await listPieces(sql, name, 'parts')
    const { multipartId, sizeBytes: stagedBytes } = lease.row
    // Checks the lease: a former holder must not complete.
    if (multipartId !== null && (await reservePart(sql, name, lease.row.epoch)) === null) throw takenOver()
    const isComplete = multipartId !== null && (await multiparts.complete(blob, multipartId, parts))
    if (isComplete) return { sizeBytes: stagedBytes }
    // A crash may have happened after the completion.
    const found = await blobs.stat(blob)
    if (found === null || found.sizeBytes !== (multipartId === null ? sizeBytes : stagedBytes))
      throw await lost(lease, new Error(`Neither staged bytes ${name} nor the blob ${blob} exist.`))
    return { sizeBytes: found.sizeBytes }
  }

  const readRanges = async (parts: readonly StagedBytes[], ranges: readonly SourceRange[]): Promise<Buffer> =>
    Buffer.concat(
      await Promise.all(
        ranges.map(({ source, start, end }) => blobs.read(parts[source]?.blob ?? '', { start, end })),
      ),
    )

  const join: Staging['join'] = async (name, parts, maxSizeBytes) => {
    const lease = leases.of(name)
    const sizes: number[] = []
    for (const part of parts) {
      const held = leases.hold(
        part,
        () => {},
        () => moveToBlob(part),
      )
      const { sizeBytes } = await held.catch((error: unknown) => {
        throw error instanceof Problem ? error : new Problem('upload_part_deleted', {}, { cause: error })
      })
      sizes.push(sizeBytes)
    }
    const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
    if (sizeBytes > maxSizeBytes) throw new Problem('upload_too_large', { maxBytes: maxSizeBytes })
    if (lease.row.sizeBytes > 0) await startOver(lease)
    const id = await multiparts.create(lease.bytes.blob)
    if (!(await setMultipart(sql, lease.row, { id, partBytes: null }))) throw takenOver()
    lease.row = { ...lease.row, multipartId: id }
    const store = async (part: JoinedPart, number: number): Promise<string> => {
      if ('passedOn' in part)
        return multiparts.putPart(lease.bytes.blob, id, number, await readRanges(parts, part.passedOn))
      const { source, start, end } = part.copied
      const from = { key: parts[source]?.blob ?? '', range: { start, end } }
      return multiparts.copyPart(lease.bytes.blob, id, number, from)
    }
    const planned = planJoin(sizes)
    const pieces: Piece[] = []
    for (let first = 0; first < planned.length; first += parallelCopies) {
      const batch = planned.slice(first, first + parallelCopies)
      const stored = await Promise.all(
        batch.map(async (part, index) => {
          const number = first + index + 1
          return { number, etag: await store(part, number), size: bytesOf(part) }
        }),
      )
      for (const { number, etag, size } of stored) {
        const last = pieces.at(-1)
        pieces.push({ number, etag, size, start: (last?.start ?? 0) + (last?.size ?? 0), object: null })
      }
    }
    if (!(await commitPieces(sql, lease.row, { sizeBytes, sha256State: null, dropsObjects: false, pieces })))
      throw takenOver()
    lease.row = { ...lease.row, sizeBytes }
  }

  return {
    mayKeepUnverified: false,
    hold: leases.hold,
    sizeOf: async (name) => leases.find(name)?.row.sizeBytes ?? findSize(sql, name),
    append,
    // Nothing is committed before it is verified.
    truncate: async () => {},
    sha256: async (name) => (await openSha256(leases.of(name).row.sha256State)).hex(),
    join,
    moveToBlob,
    settle: async (tx, name) => {
      const lease = leases.of(name)
      const deleted = await tx
        .deleteFrom('staged_uploads')
        .where('staging_name', '=', name)
        .where('epoch', '=', lease.row.epoch)
        .executeTakeFirst()
      if (deleted.numDeletedRows === 0n) throw takenOver()
      // From here on the transaction locks the row, so it must not be renewed or released.
      leases.drop(name)
    },
    remove: async (name) => {
      leases.drop(name)
      const removed = await deleteStaged(sql, name)
      if (removed === null) return
      if (removed.multipartId !== null) await multiparts.abort(removed.blob, removed.multipartId)
      const { blob, objects } = removed
      // Parts of a tus upload have a blob only until they are joined.
      for (const object of blob.startsWith(stagedFolder) ? [blob, ...objects] : objects)
        await blobs.delete(object)
    },
  }
}

const bytesOf = (part: JoinedPart): number =>
  ('copied' in part ? [part.copied] : part.passedOn).reduce((sum, { start, end }) => sum + end - start, 0)
