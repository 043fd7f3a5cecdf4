export interface EmbedOptions {
  readonly isResponsive: boolean
  /** Width of a fixed-size frame. */
  readonly widthPixels: number
  readonly autoplay: boolean
  readonly muted: boolean
  readonly loop: boolean
  readonly hasControls: boolean
  readonly startSeconds: number
  /** Empty = the default of the player. */
  readonly color: string
  /** Empty = the default of the captions; `off` = none. */
  readonly captions: string
}

export const defaultOptions: EmbedOptions = {
  isResponsive: true,
  widthPixels: 640,
  autoplay: false,
  muted: false,
  loop: false,
  hasControls: true,
  startSeconds: 0,
  color: '',
  captions: '',
}

interface Shape {
  readonly title: string
  /** Width to height. */
  readonly ratio: readonly [number, number]
}

/** Only options that differ from the defaults. */
const pairsOf = (options: EmbedOptions): [string, string][] => {
  const pairs: [string, string | false][] = [
    ['autoplay', options.autoplay && '1'],
    ['muted', options.muted && '1'],
    ['loop', options.loop && '1'],
    ['controls', !options.hasControls && '0'],
    ['start', options.startSeconds > 0 && String(options.startSeconds)],
    ['color', options.color !== '' && options.color.replace('#', '')],
    ['captions', options.captions !== '' && options.captions],
  ]
  return pairs.flatMap(([name, value]) => (value === false ? [] : [[name, value]]))
}

const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

export const embedUrl = (embedUri: string, options: EmbedOptions): string => {
  const query = new URLSearchParams(pairsOf(options)).toString()
  return query === '' ? embedUri : `${embedUri}?${query}`
}

const permissions = 'autoplay; fullscreen; picture-in-picture'

const isUsualShape = (width: number, height: number): boolean => width * 9 === height * 16

export const frameCode = (
  embedUri: string,
  { title, ratio: [width, height] }: Shape,
  options: EmbedOptions,
): string => {
  const size = options.isResponsive
    ? `style="display: block; width: 100%; aspect-ratio: ${width} / ${height}; border: 0"`
    : `width="${options.widthPixels}" height="${Math.round((options.widthPixels * height) / width)}" style="border: 0"`
  const source = attribute(embedUrl(embedUri, options))
  return [
    '<iframe',
    `  src="${source}"`,
    `  title="${attribute(title)}"`,
    `  ${size}`,
    `  allow="${permissions}"`,
    '  allowfullscreen',
    '></iframe>',
  ].join('\n')
}

/** The script creates the same frame in the available width. */
export const scriptCode = (
  embedUri: string,
  { ratio: [width, height] }: Pick<Shape, 'ratio'>,
  options: EmbedOptions,
): string => {
  const url = new URL(embedUri)
  const [, playoutId = ''] = /\/embed\/([^/?]+)/.exec(url.pathname) ?? []
  const data = [
    ['playout', playoutId],
    // The script detects the ratio itself. The attribute avoids a layout shift.
    ...(isUsualShape(width, height) ? [] : [['ratio', `${width}:${height}`]]),
    ...pairsOf(options),
  ].map(([name, value = '']) => `data-${name}="${attribute(value)}"`)
  return `<script src="${url.origin}/embed.js" ${data.join(' ')} async></script>`
}

/** One line for a text field: a responsive player with default options. */
export const embedCode = (embedUri: string, title: string): string =>
  frameCode(embedUri, { title, ratio: [16, 9] }, defaultOptions).replaceAll(/\n\s*/g, ' ')

/** For systems that embed a URL through oEmbed (oembed.com). */
export const oembedUrl = (embedUri: string): string =>
  `${new URL(embedUri).origin}/oembed?url=${encodeURIComponent(embedUri)}&format=json`
