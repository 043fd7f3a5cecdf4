import { createHash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { BlobStore } from '../../../../platform/blobs/blob-store.ts'
import type { MultipartStore } from '../../../../platform/blobs/s3/s3-multipart.ts'
import type { Sql } from '../../../../platform/db/hand-written-sql.ts'
import { takenOver, type Lease } from './leases.ts'
import { grownPartBytes, partBytesOf } from './part-size.ts'
import { bufferedBytes } from './buffered-bytes.ts'
import { stagedFolder } from '../stagings.ts'
import type { Sha256 } from './sha256-state.ts'
import { commitPieces, listPieces, reservePart, setMultipart, type Piece } from './staged-rows.ts'

export interface S3Dependencies {
  readonly sql: Sql
  readonly blobs: BlobStore
  readonly multiparts: MultipartStore
}

const parallelReads = 8

/** A sender may deliver single bytes, whose buffers take hundreds of bytes each. */
const smallChunkBytes = 4_096
const smallChunksAtOnce = 256

/** Objects that this process has stored lately: a part that joins them needs no reads. */
const recentObjects = new LRUCache<string, Buffer>({
  maxSize: 64 * 1024 * 1024,
  sizeCalculation: ({ length }) => length,
})

export interface PartWriter {
  readonly push: (chunk: Buffer) => Promise<void> | void
  /** Stores what remains: as the last part, or as an object that later bytes join. */
  readonly finish: (isLast: boolean) => Promise<void>
  /** Resolves, even after an error, when no request of this writer runs. */
  readonly settle: () => Promise<void>
}

/**
 * Gathers one part while the previous one is stored. Commits each part at once, or all at the end if
 * `isAtomic`.
 */
export const openPartWriter = async (
  { sql, blobs, multiparts }: S3Dependencies,
  lease: Lease,
  options: {
    readonly sizeBytes: number | null
    readonly sha256: Sha256 | null
    readonly isAtomic: boolean
  },
): Promise<PartWriter> => {
  const { name } = lease.bytes
  const { sha256 } = options
  let objects = await listPieces(sql, name, 'objects')
  let objectBytes = objects.reduce((sum, { size }) => sum + size, 0)
  let pending: Buffer[] = []
  let pendingBytes = 0
  let smallChunks = 0
  /** End of the bytes that are in a piece or on their way. */
  let position = lease.row.sizeBytes
  let partCount = await countParts(sql, lease)
  let storing: Promise<void> = Promise.resolve()
  const uncommitted: { pieces: Piece[]; staleObjects: Piece[] } = { pieces: [], staleObjects: [] }
  const buffered = bufferedBytes.open()

  const partBytes = (): number =>
    lease.row.multipartId === null
      ? (partBytesOf(options.sizeBytes) ?? grownPartBytes(0))
      : (lease.row.partBytes ?? grownPartBytes(partCount))

  const commit = async (sizeBytes: number, sha256State: Buffer | null): Promise<void> => {
    const { pieces, staleObjects } = uncommitted
    if (pieces.length === 0) return
    const dropsObjects = staleObjects.length > 0
    if (!(await commitPieces(sql, lease.row, { sizeBytes, sha256State, dropsObjects, pieces })))
      throw takenOver()
    lease.row = { ...lease.row, sizeBytes, sha256State }
    uncommitted.pieces = []
    uncommitted.staleObjects = []
    void deleteObjects(blobs, staleObjects)
  }

  const openMultipart = async (): Promise<string> => {
    if (lease.row.multipartId !== null) return lease.row.multipartId
    const id = await multiparts.create(lease.bytes.blob)
    const size = partBytesOf(options.sizeBytes)
    if (!(await setMultipart(sql, lease.row, { id, partBytes: size }))) {
      await multiparts.abort(lease.bytes.blob, id)
      throw takenOver()
    }
    lease.row = { ...lease.row, multipartId: id, partBytes: size }
    return id
  }

  const readObjects = async (pieces: readonly Piece[]): Promise<Buffer[]> => {
    const read: Buffer[] = []
    for (let first = 0; first < pieces.length; first += parallelReads)
      read.push(
        ...(await Promise.all(
          pieces.slice(first, first + parallelReads).map(async ({ object, etag }) => {
            const data = recentObjects.get(object ?? '') ?? (await blobs.read(object ?? ''))
            if (md5Of(data) !== etag) throw new Error(`The S3 store returned other bytes of ${object}.`)
            return data
          }),
        )),
      )
    return read
  }

  interface Cut {
    readonly buffers: readonly Buffer[]
    readonly objects: readonly Piece[]
    readonly start: number
    readonly end: number
    readonly sha256State: Buffer | null
  }

  const storePart = async (cut: Cut): Promise<void> => {
    const id = await openMultipart()
    const data = Buffer.concat([...(await readObjects(cut.objects)), ...cut.buffers])
    const number = await reservePart(sql, name, lease.row.epoch)
    if (number === null) throw takenOver()
    const etag = await multiparts.putPart(lease.bytes.blob, id, number, data)
    uncommitted.pieces = uncommitted.pieces.filter((piece) => !cut.objects.includes(piece))
    uncommitted.pieces.push({ number, object: null, start: cut.start, size: cut.end - cut.start, etag })
    uncommitted.staleObjects.push(...cut.objects)
    if (!options.isAtomic) await commit(cut.end, cut.sha256State)
  }

  const storeObject = async (cut: Cut): Promise<void> => {
    const object = `${stagedFolder}${name}/${randomUUID()}`
    const data = Buffer.concat(cut.buffers)
    await multiparts.putSmall(object, data)
    recentObjects.set(object, data)
    const piece = { number: 0, object, start: cut.start, size: data.length, etag: md5Of(data) }
    uncommitted.pieces.push(piece)
    objects.push(piece)
    if (!options.isAtomic) await commit(cut.end, cut.sha256State)
  }

  /** Takes the gathered bytes, with those of earlier objects for a part. */
  const cut = (kind: 'part' | 'object'): Cut => {
    const joined = kind === 'part' ? objects : []
    const start = joined[0]?.start ?? position
    const buffers = pending
    position += pendingBytes
    objectBytes += pendingBytes
    pending = []
    pendingBytes = 0
    smallChunks = 0
    if (kind === 'part') {
      objects = []
      objectBytes = 0
      partCount += 1
    }
    return { buffers, objects: joined, start, end: position, sha256State: sha256?.save() ?? null }
  }

  const store = async (kind: 'part' | 'object'): Promise<void> => {
    // One after the other, so that commits stay in order.
    await storing
    const taken = cut(kind)
    const sizeBytes = taken.buffers.reduce((sum, { length }) => sum + length, 0)
    storing = (kind === 'part' ? storePart(taken) : storeObject(taken)).finally(() => buffered.sub(sizeBytes))
    storing.catch(() => {})
  }

  const gather = (chunk: Buffer): void => {
    pending.push(chunk)
    pendingBytes += chunk.length
    buffered.add(chunk.length)
    sha256?.update(chunk)
    smallChunks = chunk.length < smallChunkBytes ? smallChunks + 1 : 0
    if (smallChunks < smallChunksAtOnce) return
    pending.push(Buffer.concat(pending.splice(-smallChunks)))
    smallChunks = 0
  }

  const add = async (chunk: Buffer): Promise<void> => {
    let rest = chunk
    for (;;) {
      const room = Math.max(0, partBytes() - objectBytes - pendingBytes)
      const taken = rest.subarray(0, room)
      gather(taken)
      if (taken.length < room) break
      await store('part')
      rest = rest.subarray(room)
      if (rest.length === 0) break
    }
    if (buffered.isTooMuch(pendingBytes)) await store('object')
  }

  return {
    push: (chunk) => {
      if (objectBytes + pendingBytes + chunk.length >= partBytes() || buffered.isTooMuch(pendingBytes))
        return add(chunk)
      gather(chunk)
    },
    finish: async (isLast) => {
      if (isLast && objectBytes + pendingBytes > 0) await store('part')
      else if (pendingBytes > 0) await store('object')
      await storing
      if (options.isAtomic) await commit(position, sha256?.save() ?? null)
    },
    settle: async () => {
      await Promise.allSettled([storing])
      buffered.close()
    },
  }
}

const countParts = async (sql: Sql, { bytes, row }: Lease): Promise<number> =>
  row.multipartId === null || row.partBytes !== null ? 0 : (await listPieces(sql, bytes.name, 'parts')).length

/** One at a time, because there may be thousands. Housekeeping deletes what this leaves. */
const deleteObjects = async (blobs: BlobStore, pieces: readonly Piece[]): Promise<void> => {
  for (const { object } of pieces) {
    if (object === null) continue
    recentObjects.delete(object)
    await blobs.delete(object).catch(() => {})
  }
}

const md5Of = (data: Buffer): string => createHash('md5').update(data).digest('hex')
