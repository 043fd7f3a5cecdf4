import { setTimeout as delay } from 'node:timers/promises'
import type { InFlightUploads } from '../../library/files/media/in-flight-uploads.ts'
import type { RenditionRow } from '../../library/files/record/parts/rendition-record.ts'
import { isRemux } from '../../library/files/media/media-blobs.ts'

const pollMs = 100
/** After this time without growth, the writing worker is considered dead. */
const silenceMs = 20_000

/** Returns the blob of the remux that plays during an in-flight upload; otherwise null. */
export const inFlightRemuxOf = (renditions: readonly RenditionRow[]): string | null =>
  renditions.find(
    ({ delivery, state, media_blob }) =>
      delivery === 'in_place' && state === 'growing' && isRemux(media_blob ?? ''),
  )?.media_blob ?? null

/** Waits until the remux is complete and returns its path; null when it was abandoned. */
export const waitForInFlightRemux = async (
  inFlightUploads: InFlightUploads,
  mediaBlob: string,
  signal: AbortSignal,
): Promise<string | null> => {
  const paths = inFlightUploads.remuxPaths(mediaBlob)
  let known = -1
  let grownAtMs = performance.now()
  for (;;) {
    const found = await inFlightUploads.ofRemux(mediaBlob)
    if (found === null) return null
    if (found.path === paths.whole) return found.path
    if (found.receivedBytes !== known) grownAtMs = performance.now()
    if (performance.now() - grownAtMs > silenceMs) return null
    known = found.receivedBytes
    await delay(pollMs, undefined, { signal })
  }
}
