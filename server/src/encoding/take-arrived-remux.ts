import { setTimeout as delay } from 'node:timers/promises'
import type { ArrivingFiles } from '../files/arriving-files.ts'
import type { RenditionRow } from '../files/file-record.ts'
import { isRemux } from '../files/media-blobs.ts'

const pollMs = 100
/** The worker that wrote it is gone. */
const silenceMs = 20_000

/** The remux that plays while its source arrives. */
export const arrivingRemuxOf = (renditions: readonly RenditionRow[]): string | null =>
  renditions.find(
    ({ delivery, state, media_blob }) =>
      delivery === 'in_place' && state === 'growing' && isRemux(media_blob ?? ''),
  )?.media_blob ?? null

/** Waits until that remux is whole, and answers where it lies; null when it came to nothing. */
export const waitForArrivedRemux = async (
  arrivingFiles: ArrivingFiles,
  mediaBlob: string,
  signal: AbortSignal,
): Promise<string | null> => {
  const paths = arrivingFiles.remuxPaths(mediaBlob)
  let known = -1
  let grownAtMs = performance.now()
  for (;;) {
    const found = await arrivingFiles.ofRemux(mediaBlob)
    if (found === null) return null
    if (found.path === paths.whole) return found.path
    if (found.receivedBytes !== known) grownAtMs = performance.now()
    if (performance.now() - grownAtMs > silenceMs) return null
    known = found.receivedBytes
    await delay(pollMs, undefined, { signal })
  }
}
