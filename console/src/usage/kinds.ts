/** Kinds of bytes from the bottom of the chart up, with a colour for each theme. */
export const kinds = [
  { name: 'renditions', field: 'RenditionBytes', light: '#4f50c8', dark: '#8688f0' },
  { name: 'sources', field: 'SourceBytes', light: '#8a8de6', dark: '#5153ab' },
  { name: 'pictures', field: 'PictureBytes', light: '#0f8f83', dark: '#3fb8aa' },
  { name: 'captions', field: 'CaptionBytes', light: '#b0751a', dark: '#d9a94a' },
] as const
