import { Type, type Static } from 'typebox'
import { nullable } from '../http/schemas.ts'

const color = Type.String({
  maxLength: 7,
  pattern: '^#[0-9A-Fa-f]{6}$',
  description:
    'Of the seek bar and the large button. What stands on it is black or white, whichever is read better. Null = that of the player itself.',
  examples: ['#e0457b'],
})

/** How the player looks. An object, because there may be more to a look than a colour. */
export const playerThemeSchema = Type.Object(
  { Color: nullable(color) },
  { description: 'How the player looks, wherever the page does not ask for something else.' },
)

export const playerThemeWriteSchema = Type.Object(
  { Color: Type.Optional(nullable(color)) },
  { description: 'How the player looks; absent fields stay as they are, null = as the player itself does.' },
)

/** What a write says of the column; nothing where it says nothing. */
export const playerColorChange = (
  write: Static<typeof playerThemeWriteSchema> | null | undefined,
): { readonly player_color?: string | null } => {
  if (write === null) return { player_color: null }
  if (write?.Color === undefined) return {}
  return { player_color: write.Color?.toLowerCase() ?? null }
}
