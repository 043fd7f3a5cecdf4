import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createDiskBlobStore } from '../../../server/src/platform/blobs/disk-blob-store.ts'
import { openDatabase } from '../../../server/src/platform/db/database.ts'
import { connectionOf } from './many-files.ts'
import type { Product } from '../harness/product.ts'

export interface PackagedRendition {
  readonly paths: readonly string[]
  readonly filePaths: readonly string[]
  readonly meanBytes: number
}

const timescale = 90_000
const segmentTicks = 4 * timescale

/**
 * Creates a published file as the encoder would, with random bytes because the media is never decoded. One
 * rendition for each list of sizes.
 */
export const makePackagedFile = async (
  product: Product,
  dataFolder: string,
  renditions: readonly (readonly number[])[],
): Promise<PackagedRendition[]> => {
  const blobs = createDiskBlobStore({ folder: join(dataFolder, 'media') })
  const project = await product.call('POST', '/projects', { Name: 'Delivery' })
  const projectId = project.body.Id as number
  const { body: file } = await product.call('POST', `/projects/${projectId}/files`, {
    FileName: 'clip.mp4',
    Metadata: { ReleaseStatus: 'published' },
  })
  const database = openDatabase(await connectionOf(product), { maxConnections: 1 })
  try {
    const { sql } = database
    await sql`update media_files set state = 'finished' where id = ${file.Id}`
    const made: PackagedRendition[] = []
    for (const [index, sizes] of renditions.entries()) {
      const mediaBlob = `a1/p${projectId}/f${file.Id}/v${index}`
      const names = sizes.map((_, segment) => `${mediaBlob}/${segment}.m4s`)
      for (const [segment, sizeBytes] of sizes.entries())
        await blobs.put(names[segment] ?? '', randomBytes(sizeBytes))
      const segments = sizes.map((size, segment) => [timescale + segment * segmentTicks, segmentTicks, size])
      const [row] = await sql<{ id: number }[]>`
        insert into renditions (account_id, file_id, kind, name, delivery, state, media_blob, codec, timescale, segments)
        select account_id, id, 'video', ${`v${index}`}, 'packaged', 'complete', ${mediaBlob}, 'avc1.64001f', ${timescale},
          ${JSON.stringify(segments)}
        from media_files where id = ${file.Id}
        returning id`
      made.push({
        paths: sizes.map((_, segment) => `/v/${file.Playouts[0].Id}/${row?.id}/${segment}.m4s`),
        filePaths: names.map((name) => `/${name}`),
        meanBytes: sizes.reduce((sum, size) => sum + size, 0) / sizes.length,
      })
    }
    return made
  } finally {
    await database.close()
  }
}
