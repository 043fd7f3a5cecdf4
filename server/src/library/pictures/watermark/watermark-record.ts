import { Type, type Static } from 'typebox'
import { described, nullable, timestampSchema } from '../../../platform/http/requests/schemas.ts'
import { invalidField, invalidValue } from '../../../platform/base/problem.ts'
import { toTimestamp } from '../../../platform/base/timestamp.ts'
import { PictureError } from '../read/picture-error.ts'
import { readWatermarkPicture, watermarkLimit } from './watermark-picture.ts'
import type { WatermarkRow } from './watermark-store.ts'

const dataUri = 'data:image/png;base64,'
/** Base64 encodes three bytes as four characters. */
const pictureCharacters = Math.ceil(watermarkLimit.maxBytes / 3) * 4 + dataUri.length

const picture = Type.String({
  maxLength: pictureCharacters,
  pattern: `^(?:${dataUri})?[A-Za-z0-9+/]*={0,2}$`,
  description: `PNG of at most ${watermarkLimit.maxText}, in base64 or as a data URI.`,
  examples: ['data:image/png;base64,iVBORw0KGgo='],
})
const position = Type.Union(
  (['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const).map((corner) => Type.Literal(corner)),
  { description: 'Corner of the video. Default `bottom-right`.' },
)
const opacity = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Opacity in percent, multiplied with that of the PNG. Default 100.',
})
const width = Type.Integer({
  minimum: 1,
  maximum: 100,
  description: 'Width in percent of the width of the video. Default 15.',
})

const example = {
  Picture: `${dataUri}iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR4nGP4/5+BFAQA/U4f4cOgO+EAAAAASUVORK5CYII=`,
  Position: 'top-right',
  Opacity: 70,
  Width: 12,
}

export const watermarkSchema = Type.Object(
  {
    Picture: Type.String({ description: 'The PNG as a data URI, without metadata.' }),
    PictureWidth: Type.Integer({ description: 'Width of the PNG in pixels.' }),
    PictureHeight: Type.Integer({ description: 'Height of the PNG in pixels.' }),
    Position: position,
    Opacity: opacity,
    Width: width,
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the watermark.'),
  },
  {
    description: 'A picture that is burned into the renditions of a project.',
    examples: [
      { ...example, PictureWidth: 16, PictureHeight: 16, LastUpdateAt: '2026-03-01T12:00:00+00:00' },
    ],
  },
)

export const watermarkWriteSchema = Type.Object(
  {
    Picture: Type.Optional(picture),
    Position: Type.Optional(nullable(position)),
    Opacity: Type.Optional(nullable(opacity)),
    Width: Type.Optional(nullable(width)),
  },
  {
    description:
      'Absent fields keep their values; null restores the default. The first time, `Picture` is required.',
    examples: [example],
  },
)

export type WatermarkWrite = Static<typeof watermarkWriteSchema>

const defaults = { position: 'bottom-right', opacity_percent: 100, width_percent: 15 } as const

type Settings = Omit<WatermarkRow, 'account_id' | 'project_id' | 'updated_at'>

const readPictureField = (bytes: Buffer): Pick<Settings, 'picture' | 'width_pixels' | 'height_pixels'> => {
  try {
    const read = readWatermarkPicture(bytes)
    return { picture: read.bytes, width_pixels: read.widthPixels, height_pixels: read.heightPixels }
  } catch (error) {
    if (error instanceof PictureError) throw invalidValue('Picture', error.issue)
    throw error
  }
}

const decode = (text: string): Buffer => Buffer.from(text.replace(dataUri, ''), 'base64')

/**
 * Applies a write to a watermark. `sent` is a picture from a raw or multipart body. Throws 'invalid'. Pure.
 */
export const changeWatermark = (
  before: WatermarkRow | undefined,
  write: WatermarkWrite,
  sent: Buffer | null,
): Settings => {
  const bytes = sent ?? (write.Picture === undefined ? null : decode(write.Picture))
  if (bytes === null && before === undefined) throw invalidField('Picture', 'watermark_picture_missing')
  const unchanged = before ?? { ...defaults, picture: Buffer.alloc(0), width_pixels: 0, height_pixels: 0 }
  return {
    ...unchanged,
    ...(bytes === null ? {} : readPictureField(bytes)),
    ...(write.Position === undefined ? {} : { position: write.Position ?? defaults.position }),
    ...(write.Opacity === undefined ? {} : { opacity_percent: write.Opacity ?? defaults.opacity_percent }),
    ...(write.Width === undefined ? {} : { width_percent: write.Width ?? defaults.width_percent }),
  }
}

export const renderWatermark = (row: WatermarkRow): string =>
  JSON.stringify({
    Picture: dataUri + row.picture.toString('base64'),
    PictureWidth: row.width_pixels,
    PictureHeight: row.height_pixels,
    Position: row.position,
    Opacity: row.opacity_percent,
    Width: row.width_percent,
    LastUpdateAt: toTimestamp(row.updated_at),
  })
