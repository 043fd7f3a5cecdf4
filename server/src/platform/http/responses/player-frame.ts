import { escapeHtml } from './escape-html.ts'

/** Permissions that the player needs from the embedding page (docs/embed.md). */
const permissions = 'autoplay; fullscreen; picture-in-picture'

export const playerFrame = (
  address: string,
  { title, width, height }: { readonly title: string; readonly width: number; readonly height: number },
): string =>
  `<iframe src="${address}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0" allow="${permissions}" allowfullscreen></iframe>`
