/** Bytes at their offset in a recording. */
export interface PlacedBytes {
  readonly offset: number
  readonly bytes: Buffer
}

const mdatHeaderBytes = 8

/**
 * Places the bytes of a skeleton: boxes of an MP4 without the media of their `mdat` boxes. `startOffset` is that of
 * the first box.
 */
export const placeSkeleton = (skeleton: Buffer, startOffset: number): PlacedBytes[] => {
  const placed: PlacedBytes[] = []
  let offset = startOffset
  let runOffset = offset
  let runStart = 0
  let position = 0
  while (position + mdatHeaderBytes <= skeleton.length) {
    const sizeBytes = skeleton.readUInt32BE(position)
    const isMedia = skeleton.toString('latin1', position + 4, position + 8) === 'mdat'
    position += isMedia ? mdatHeaderBytes : Math.max(sizeBytes, mdatHeaderBytes)
    offset += sizeBytes
    if (!isMedia) continue
    placed.push({ offset: runOffset, bytes: skeleton.subarray(runStart, position) })
    runOffset = offset
    runStart = position
  }
  if (runStart < position) placed.push({ offset: runOffset, bytes: skeleton.subarray(runStart, position) })
  return placed
}
