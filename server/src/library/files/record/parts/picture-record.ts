import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import type { FilePicturesTable } from '../../../../platform/db/tables/pictures.ts'
import { described, idSchema } from '../../../../platform/http/requests/schemas.ts'

export type FilePictureRow = Selectable<FilePicturesTable>

const ratio = (width: number, height: number): string => {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  const common = divisor(width, height)
  return `${width / common}:${height / common}`
}

const commonRatios = ['16:9', '4:3', '1:1', '9:16', '3:4', '21:9', '3:2', '2:3', '4:5', '5:4'] as const

const closestRatio = (width: number, height: number): string => {
  const distance = (name: string): number => {
    const [w = 1, h = 1] = name.split(':').map(Number)
    return Math.abs(Math.log(width / height / (w / h)))
  }
  return commonRatios.reduce((best, name) => (distance(name) < distance(best) ? name : best))
}

export const pictureRecord = (picture: FilePictureRow, publicUrl: string) => {
  const uriOf = (name: string): string =>
    `${publicUrl}/p/${picture.public_id}/${name}?key=${picture.access_key}`
  return {
    FilePictureId: picture.id,
    AspectRatio: ratio(picture.width_pixels, picture.height_pixels),
    AspectRatioClosest: closestRatio(picture.width_pixels, picture.height_pixels),
    URI: uriOf('poster.jpg'),
    ThumbURI: uriOf('thumb.jpg'),
    SrcPictureURI: uriOf('poster.jpg'),
    IsStandard: picture.is_standard,
    ManualUpload: picture.manual_upload,
  }
}

const uri = Type.String({ format: 'uri' })

export const pictureSchema = Type.Object(
  {
    FilePictureId: described(idSchema, 'Identifier of the picture.'),
    AspectRatio: Type.String({ examples: ['16:9'], description: 'Exact aspect ratio, such as `16:9`.' }),
    AspectRatioClosest: Type.String({
      examples: ['16:9'],
      description: 'The common aspect ratio that is closest, such as `16:9`.',
    }),
    URI: described(
      uri,
      'URL of the picture (JPEG). With its `key` it also opens the picture of an unpublished file. For viewers, remove the query: the URL then has the access rules of the video.',
    ),
    ThumbURI: described(uri, 'URL of a small version (JPEG).'),
    SrcPictureURI: described(uri, 'URL of the picture at its full size. Same as `URI`.'),
    IsStandard: Type.Boolean({ description: 'Whether this picture is the poster of the file.' }),
    ManualUpload: Type.Boolean({
      description: 'Whether the picture was uploaded. False for a frame of the video.',
    }),
  },
  {
    description: 'A still picture of a file.',
    examples: [
      {
        FilePictureId: 12,
        AspectRatio: '16:9',
        AspectRatioClosest: '16:9',
        URI: 'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6',
        ThumbURI:
          'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/thumb.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6',
        SrcPictureURI:
          'https://video.example.com/p/6f0d6f3e-95cb-4d0a-8c49-3d3a9a7d4c21/poster.jpg?key=4f1c2b8e9a7d4c53b0e6f1a2d3c4b5e6',
        IsStandard: true,
        ManualUpload: false,
      },
    ],
  },
)
