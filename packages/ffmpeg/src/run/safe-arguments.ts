import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { acceptUploads } from './accepted-media.ts'

/** 8K has 33 megapixels; a decoded frame at this limit takes about 75 MB. */
export const maxPicturePixels = 50_000_000

/** Largest single allocation, in bytes: more than a frame of the largest picture needs. */
export const allocationArguments: readonly string[] = ['-max_alloc', String(128 * 1024 * 1024)]

/** Precede every `-i` of ffmpeg and ffprobe. */
export const safeInputArguments: readonly string[] = [
  ...acceptUploads,
  '-max_pixels',
  String(maxPicturePixels),
]

/** Returns an absolute `file:` name, so that ffmpeg mistakes no name for an option or another protocol. */
export const fileArgument = (path: string): string => `file:${resolve(path)}`

/**
 * Returns the thread count per codec when `encoders` runs share the machine. Above eight threads, each adds a
 * frame of memory and no speed. With one core or less per run, a single thread needs less CPU time than
 * several that wait for each other.
 */
export const threadsOfEach = (encoders: number): string => {
  const cores = Math.floor(availableParallelism() / encoders)
  return String(cores <= 1 ? 1 : Math.min(8, cores + 1))
}

export const threadArguments: readonly string[] = ['-threads', threadsOfEach(1)]

export const inputArguments = (
  path: string,
  options: readonly string[] = [],
  threads = threadArguments,
): string[] => [...safeInputArguments, ...threads, ...options, '-i', fileArgument(path)]

export const pipedInputArguments = (
  format: string,
  options: readonly string[] = [],
  threads = threadArguments,
): string[] => [...safeInputArguments, ...threads, ...options, '-f', format, '-i', 'pipe:0']

/** Drops titles, locations and chapters of the source; MP4 would store chapters as a track. */
export const withoutExtrasArguments: readonly string[] = [
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  '-sn',
  '-dn',
]
