import { Problem } from '../kernel/problem.ts'
import type { GrowingBytes } from './growing-bytes.ts'
import type { ReceiveDependencies } from './receive-bytes.ts'
import { extendPart, reloadPart, type UploadPartRow } from './upload-part-store.ts'

/** How many bytes of it are safe. */
export const receivedOfPart = async (
  { staging }: Pick<ReceiveDependencies, 'staging'>,
  part: UploadPartRow,
): Promise<number> =>
  Math.min(await staging.sizeOf(part.staging_name), part.unchecked_after ?? Number.MAX_SAFE_INTEGER)

/** A part is never complete by itself: it waits to be joined with others. */
export const growingPart = (dependencies: ReceiveDependencies, part: UploadPartRow): GrowingBytes => {
  const { database, expiryMs } = dependencies
  return {
    stagingName: part.staging_name,
    sizeBytes: part.size_bytes,
    isComplete: false,
    received: () => receivedOfPart(dependencies, part),
    reload: async () => {
      const row = await reloadPart(database.kysely, part)
      if (row === null) throw new Problem('not_found', 'This part was removed, or joined with others.')
      return growingPart(dependencies, row)
    },
    extend: (change) =>
      extendPart(database.kysely, part, { ...change, expiresAt: new Date(Date.now() + expiryMs) }),
    onArrival: async () => {},
    onRewind: async () => {},
    finish: async () => {},
  }
}
