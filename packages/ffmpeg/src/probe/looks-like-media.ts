import { open } from 'node:fs/promises'

/** ISO/IEC 14496-12 section 4.2: a box starts with its size, then its type. */
const firstBoxes = ['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'styp']

/** First bytes of other containers, as latin1. */
const beginnings = [
  'OggS',
  'RIFF',
  'fLaC',
  'FLV',
  'ID3',
  'FORM',
  'caff',
  // IVF, RealMedia.
  'DKIF',
  '.RMF',
  // EBML (Matroska and WebM), MPEG program stream, ASF.
  '\x1a\x45\xdf\xa3',
  '\0\0\x01\xba',
  '\x30\x26\xb2\x75',
]

/** ISO/IEC 13818-1 section 2.4.3.2: packets have 188 bytes and start with 0x47. */
const isTransportStream = (start: string): boolean => start[0] === 'G' && start[188] === 'G'

/** MPEG audio and ADTS frames begin with eleven or twelve set bits. */
const isAudioFrame = (start: string): boolean =>
  start.charCodeAt(0) === 0xff && (start.charCodeAt(1) & 0xe0) === 0xe0

/**
 * Whether the first bytes of an unreadable file are those of a media file. If so, the file is damaged rather
 * than of another type.
 */
export const looksLikeMedia = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0)
    const start = buffer.toString('latin1', 0, bytesRead)
    return (
      firstBoxes.includes(start.slice(4, 8)) ||
      beginnings.some((beginning) => start.startsWith(beginning)) ||
      isTransportStream(start) ||
      isAudioFrame(start)
    )
  } finally {
    await handle.close()
  }
}
