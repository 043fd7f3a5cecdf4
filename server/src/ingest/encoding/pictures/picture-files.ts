import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MediaError, runFfmpeg, type PicturePaths, type RunLimits } from '@zoetrope/ffmpeg'
import { newMessage } from '../../../platform/base/message.ts'

export interface PictureFiles {
  readonly poster: Buffer
  readonly thumbnail: Buffer
  readonly widthPixels: number
  readonly heightPixels: number
}

/** Reads the size from the frame header of a JPEG (ITU-T T.81 B.2.2). */
const jpegSize = (jpeg: Buffer): { widthPixels: number; heightPixels: number } => {
  for (let offset = 2; offset + 9 < jpeg.length; offset += 2 + jpeg.readUInt16BE(offset + 2)) {
    const marker = jpeg.readUInt8(offset + 1)
    if (marker >= 0xc0 && marker <= 0xc2)
      return { heightPixels: jpeg.readUInt16BE(offset + 5), widthPixels: jpeg.readUInt16BE(offset + 7) }
  }
  throw new MediaError('failed', newMessage('picture_not_taken'))
}

/**
 * Writes poster and thumbnail in one ffmpeg run; null when it produced no image. Rejects with a MediaError.
 */
export const runForPicture = async (
  argumentsFor: (paths: PicturePaths) => string[],
  options: { readonly workFolder: string; readonly signal: AbortSignal; readonly limits: RunLimits },
): Promise<PictureFiles | null> => {
  const paths = {
    posterPath: join(options.workFolder, 'poster.jpg'),
    thumbnailPath: join(options.workFolder, 'thumb.jpg'),
  }
  await runFfmpeg(argumentsFor(paths), { outputPipes: 0, ...options }).done
  const read = (path: string): Promise<Buffer | null> =>
    readFile(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  const [poster, thumbnail] = await Promise.all([read(paths.posterPath), read(paths.thumbnailPath)])
  return poster === null || thumbnail === null ? null : { poster, thumbnail, ...jpegSize(poster) }
}
