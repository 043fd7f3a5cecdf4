import { Type, type Static } from 'typebox'
import { nullable } from '../../../platform/http/requests/schemas.ts'
import type { PlayerLogo } from '../../../platform/db/tables/projects.ts'

const color = Type.String({
  maxLength: 7,
  pattern: '^#[0-9A-Fa-f]{6}$',
  description:
    'Of the seek bar and the large button. What stands on it is black or white, whichever is read better. Null = that of the player itself.',
  examples: ['#e0457b'],
})

export const maxLinkLength = 2_000

export const logoFields = {
  Position: Type.Union(
    [
      Type.Literal('top-left'),
      Type.Literal('top-right'),
      Type.Literal('bottom-left'),
      Type.Literal('bottom-right'),
    ],
    { description: 'Corner of the player. Default `top-right`.' },
  ),
  Link: nullable(
    Type.String({
      minLength: 1,
      maxLength: maxLinkLength,
      pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^\\s\\\\]+$',
      examples: ['https://www.example.com/'],
    }),
    'URL that a click on the logo opens in a new tab. Null means no link.',
  ),
}

const logo = Type.Object(
  {
    URI: Type.String({ description: 'URL of the picture. A new picture gets a new URL.' }),
    Width: Type.Integer({ description: 'Width of the picture in pixels.' }),
    Height: Type.Integer({ description: 'Height of the picture in pixels.' }),
    ...logoFields,
  },
  {
    description: 'A picture in a corner of the player; set by `PUT …/logo`. Null = none.',
    examples: [
      {
        URI: 'https://video.example.com/p/logos/6f1ed002ab5595859014ebf0951522d9.png',
        Width: 320,
        Height: 96,
        Position: 'top-right',
        Link: 'https://www.example.com/',
      },
    ],
  },
)

const heatMap = Type.Boolean({
  description:
    'Whether the seek bar shows viewers which parts of a file are played most, as a curve without numbers. Default false.',
})

/** Appearance of the player; an object, so that it can get further fields. */
export const playerThemeSchema = Type.Object(
  {
    Color: nullable(
      color,
      'Color of the seek bar and the large play button, as `#rrggbb`. Null uses the default.',
    ),
    HasHeatMap: heatMap,
    Logo: nullable(logo, 'Logo in a corner of the player, set with `PUT …/logo`. Null if there is none.'),
  },
  { description: 'Appearance of the player. Attributes in the page take precedence.' },
)

export const playerThemeWriteSchema = Type.Object(
  {
    Color: Type.Optional(
      nullable(
        color,
        'Color of the seek bar and the large play button, as `#rrggbb`. Null uses the default.',
      ),
    ),
    HasHeatMap: Type.Optional(nullable(heatMap)),
  },
  {
    description:
      'Appearance of the player. Absent fields keep their values; null restores the default. Set the logo at `…/logo`.',
  },
)

export const playerThemeRecord = (
  row: {
    readonly player_color: string | null
    readonly player_logo: PlayerLogo | null
    readonly has_heat_map: boolean
  },
  publicUrl: string,
): Static<typeof playerThemeSchema> => ({
  Color: row.player_color,
  HasHeatMap: row.has_heat_map,
  Logo:
    row.player_logo === null
      ? null
      : {
          URI: `${publicUrl}/p/logos/${row.player_logo.name}`,
          Width: row.player_logo.widthPixels,
          Height: row.player_logo.heightPixels,
          Position: row.player_logo.position,
          Link: row.player_logo.link,
        },
})

/** Returns the column changes for a write. Omitted fields keep their values. */
export const playerThemeChange = (
  write: Static<typeof playerThemeWriteSchema> | null | undefined,
): { readonly player_color?: string | null; readonly has_heat_map?: boolean } => {
  if (write === null) return { player_color: null, has_heat_map: false }
  return {
    ...(write?.Color === undefined ? {} : { player_color: write.Color?.toLowerCase() ?? null }),
    ...(write?.HasHeatMap === undefined ? {} : { has_heat_map: write.HasHeatMap ?? false }),
  }
}
