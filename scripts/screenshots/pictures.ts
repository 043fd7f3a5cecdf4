/** Screens of the console that the README shows, each in light and dark. */
export const screens = ['library', 'file', 'live', 'webhooks'] as const
export type Screen = (typeof screens)[number]

export const schemes = ['light', 'dark'] as const
export type Scheme = (typeof schemes)[number]

export const screenPicture = (screen: Screen, scheme: Scheme): string => `${screen}-${scheme}.webp`

/** An upload that plays a moment later, for readers who allow motion and for those who do not. */
export const story = { moving: 'upload.webp', still: 'upload-still.webp' } as const

/** Every picture that `npm run screenshots` writes to docs/pictures. */
export const pictures: readonly string[] = [
  ...screens.flatMap((screen) => schemes.map((scheme) => screenPicture(screen, scheme))),
  ...Object.values(story),
]
