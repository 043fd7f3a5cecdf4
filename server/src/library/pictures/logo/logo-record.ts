import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import type { PlayerLogo } from '../../../platform/db/tables/projects.ts'
import { invalidField } from '../../../platform/base/problem.ts'
import { logoFields, maxLinkLength } from '../../projects/settings/player-theme.ts'
import { logoLimit, type DrawnLogo } from './logo-picture.ts'

const dataUri = /^data:image\/(?:png|jpeg|webp);base64,/
const longestPrefix = 'data:image/jpeg;base64,'.length
/** Base64 encodes three bytes as four characters. */
const pictureCharacters = Math.ceil(logoLimit.maxBytes / 3) * 4 + longestPrefix

export const logoWriteSchema = Type.Object(
  {
    Picture: Type.Optional(
      Type.String({
        maxLength: pictureCharacters,
        pattern: '^(?:data:image/(?:png|jpeg|webp);base64,)?[A-Za-z0-9+/]*={0,2}$',
        description: `PNG, JPEG or WebP of at most ${logoLimit.maxText}, in base64 or as a data URI. It is re-encoded.`,
        examples: ['data:image/png;base64,iVBORw0KGgo='],
      }),
    ),
    Position: Type.Optional(nullable(logoFields.Position)),
    Link: Type.Optional(logoFields.Link),
  },
  {
    description:
      'Absent fields keep their values; null restores the default. The first time, `Picture` is required.',
    examples: [
      {
        Picture:
          'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQAAAAA3iMLMAAAADklEQVR4nGP4/5+BFAQA/U4f4cOgO+EAAAAASUVORK5CYII=',
        Position: 'top-right',
        Link: 'https://www.example.com/',
      },
    ],
  },
)

export type LogoWrite = Static<typeof logoWriteSchema>

const defaultPosition = 'top-right'

export const decodeLogo = (text: string): Buffer => Buffer.from(text.replace(dataUri, ''), 'base64')

/**
 * Returns the link as a browser normalizes it. Rejects credentials, which would hide where the link leads.
 */
const readLink = (link: string): string => {
  const url = URL.canParse(link) ? new URL(link) : null
  if (url === null || url.hostname === '')
    throw invalidField('Link', 'not_url', { example: 'https://www.example.com/' })
  if (url.username !== '' || url.password !== '') throw invalidField('Link', 'contains_credentials')
  if (url.href.length > maxLinkLength)
    throw invalidField('Link', 'too_many_characters', { max: maxLinkLength })
  return url.href
}

const isPng = (bytes: Buffer): boolean => bytes.readUInt8(0) === 0x89

/**
 * The project id is part of the hash, so that equal names never reveal that two projects show the same logo.
 */
const nameOf = (projectId: number, { bytes }: DrawnLogo): string => {
  const hash = createHash('sha256').update(`${projectId} `).update(bytes).digest('hex').slice(0, 32)
  return `${hash}.${isPng(bytes) ? 'png' : 'jpg'}`
}

/** Returns the write with its link validated and normalized. Throws 'invalid'. */
export const readLogoWrite = (write: LogoWrite): LogoWrite =>
  write.Link == null ? write : { ...write, Link: readLink(write.Link) }

/** Applies a write to the logo of a project. Throws 'invalid' when there is no picture. Pure. */
export const changeLogo = (
  projectId: number,
  before: PlayerLogo | null,
  write: Omit<LogoWrite, 'Picture'>,
  drawn: DrawnLogo | null,
): PlayerLogo => {
  const picture =
    drawn === null
      ? before
      : {
          name: nameOf(projectId, drawn),
          widthPixels: drawn.widthPixels,
          heightPixels: drawn.heightPixels,
        }
  if (picture === null) throw invalidField('Picture', 'logo_picture_missing')
  const { position = defaultPosition, link = null } = before ?? {}
  return {
    name: picture.name,
    widthPixels: picture.widthPixels,
    heightPixels: picture.heightPixels,
    position: write.Position === undefined ? position : (write.Position ?? defaultPosition),
    link: write.Link === undefined ? link : write.Link,
  }
}
