import { minimumPartBytes } from './part-size.ts'

const MiB = 1024 * 1024

/** S3 copies up to 5 GiB at a time; smaller ones run in parallel. */
const largestCopyBytes = 512 * MiB

export interface SourceRange {
  /** Index of the source. */
  readonly source: number
  readonly start: number
  readonly end: number
}

/** Parts of a joined upload: the store copies a range, or this process passes on what is too small to copy. */
export type JoinedPart = { readonly copied: SourceRange } | { readonly passedOn: readonly SourceRange[] }

/** Plans the parts of a blob that is made of other blobs. Pure. */
export const planJoin = (
  sizes: readonly number[],
  { minimum, largest }: { readonly minimum: number; readonly largest: number } = {
    minimum: minimumPartBytes,
    largest: largestCopyBytes,
  },
): JoinedPart[] => {
  const parts: JoinedPart[] = []
  let gathered: SourceRange[] = []
  let gatheredBytes = 0
  const gather = (range: SourceRange): void => {
    gathered.push(range)
    gatheredBytes += range.end - range.start
  }
  const passOn = (): void => {
    parts.push({ passedOn: gathered })
    gathered = []
    gatheredBytes = 0
  }
  for (const [source, size] of sizes.entries()) {
    let start = 0
    if (gatheredBytes > 0) {
      start = Math.min(size, minimum - gatheredBytes)
      gather({ source, start: 0, end: start })
      if (gatheredBytes === minimum) passOn()
    }
    const rest = size - start
    if (rest >= minimum) {
      const count = Math.ceil(rest / largest)
      for (let index = 0; index < count; index += 1)
        parts.push({
          copied: {
            source,
            start: start + Math.floor((rest * index) / count),
            end: start + Math.floor((rest * (index + 1)) / count),
          },
        })
    } else if (rest > 0) gather({ source, start, end: size })
  }
  if (gatheredBytes > 0) passOn()
  return parts
}
