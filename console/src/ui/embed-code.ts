const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

/** What goes into a page to show a player there. */
export const embedCode = (uri: string, title: string): string =>
  `<iframe src="${uri}" title="${escaped(title)}" width="640" height="360" style="border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`
