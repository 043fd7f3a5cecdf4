import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'

/** 8K is 33 megapixels; a picture of this size takes about 75 MB decoded. */
export const maxPicturePixels = 50_000_000

/**
 * Demuxers that read one file and nothing else. This list, not the protocol whitelist, is what keeps playlists and concat scripts that are
 * dressed as MP4 from reading other local files.
 */
const acceptedFormats = [
  'mov',
  'matroska',
  'mpegts',
  'avi',
  'flv',
  'ogg',
  'wav',
  'aiff',
  'caf',
  'mp3',
  'flac',
  'aac',
  'asf',
  'mxf',
  'mpeg',
  'ivf',
  'rm',
]

/** Stand before every `-i`, of ffmpeg and of ffprobe. */
export const safeInputArguments: readonly string[] = [
  '-protocol_whitelist',
  'file,pipe',
  '-format_whitelist',
  acceptedFormats.join(','),
  '-max_pixels',
  String(maxPicturePixels),
]

/** An absolute `file:` URL-like name, so that no name is taken for an option or for another protocol. */
export const fileArgument = (path: string): string => `file:${resolve(path)}`

/**
 * The threads of each codec where `encoders` runs share the machine. With more than eight, memory grows by a frame each and the gain is
 * gone. With a core or less for each run, one thread does the same work in less processor time than several that wait for each other.
 */
export const threadsOfEach = (encoders: number): string => {
  const cores = Math.floor(availableParallelism() / encoders)
  return String(cores <= 1 ? 1 : Math.min(8, cores + 1))
}

export const threadArguments: readonly string[] = ['-threads', threadsOfEach(1)]

/** An input that is decoded. */
export const inputArguments = (
  path: string,
  options: readonly string[] = [],
  threads = threadArguments,
): string[] => [...safeInputArguments, ...threads, ...options, '-i', fileArgument(path)]

/** An input that comes through standard input: nothing is guessed of its format. */
export const pipedInputArguments = (format: string, options: readonly string[] = []): string[] => [
  ...safeInputArguments,
  ...threadArguments,
  ...options,
  '-f',
  format,
  '-i',
  'pipe:0',
]

/** Titles, places and names of the source stay in the source; MP4 would make a track of chapters. */
export const withoutExtrasArguments: readonly string[] = [
  '-map_metadata',
  '-1',
  '-map_chapters',
  '-1',
  '-sn',
  '-dn',
]
