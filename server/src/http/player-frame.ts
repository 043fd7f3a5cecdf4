import { escapeHtml } from './escape-html.ts'

/** What the player needs of the page that frames it (docs/embed.md). */
const permissions = 'autoplay; fullscreen; picture-in-picture'

/** The HTML that puts a page with the player into another one. */
export const playerFrame = (
  address: string,
  { title, width, height }: { readonly title: string; readonly width: number; readonly height: number },
): string =>
  `<iframe src="${address}" title="${escapeHtml(title)}" width="${width}" height="${height}" style="border:0" allow="${permissions}" allowfullscreen></iframe>`
