/** Kinds of bytes from the bottom of the chart up, with a colour for each theme. */
export const kinds = [
  { name: 'renditions', field: 'RenditionBytes', light: '#1864ab', dark: '#4dabf7' },
  { name: 'sources', field: 'SourceBytes', light: '#e67700', dark: '#ffc078' },
  { name: 'pictures', field: 'PictureBytes', light: '#2b8a3e', dark: '#69db7c' },
  { name: 'captions', field: 'CaptionBytes', light: '#862e9c', dark: '#da77f2' },
] as const
