/**
 * Sanitizes cue text for any player. Only tags that WebVTT defines remain tags; everything else is escaped or
 * dropped. Players that insert cues as HTML therefore receive no active content.
 */

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: '\u00a0',
  lrm: '\u200e',
  rlm: '\u200f',
  quot: '"',
  apos: "'",
}

const decoded = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-z]+));/g,
    (whole, decimal: string, hex: string, name: string) => {
      if (name !== undefined) return entities[name] ?? whole
      const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      const isText = point >= 0x20 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
      return isText ? String.fromCodePoint(point) : ''
    },
  )

const encoded = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u200e', '&lrm;')
    .replaceAll('\u200f', '&rlm;')

const specialCharacter = /[&<>\u200e\u200f]/

/** Normalizes plain text that may contain entities. */
const cleanText = (text: string): string => (specialCharacter.test(text) ? encoded(decoded(text)) : text)

/** Tags without an annotation (W3C WebVTT 4.2.2); `v` and `lang` have one. */
const plainTags = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt'])
const annotatedTags = new Set(['v', 'lang'])
const timestampTag = /^(?:\d{2,5}:)?[0-5]\d:[0-5]\d\.\d{3}$/

const cleanTag = (inside: string): string => {
  if (plainTags.has(inside)) return `<${inside}>`
  if (timestampTag.test(inside)) return `<${inside}>`
  const [, slash = '', name = '', classes = '', annotation = ''] =
    /^(\/?)([a-z]+)((?:\.[^\s.<>&/]+)*)(?:\s+([^]*))?$/.exec(inside) ?? []
  if (!plainTags.has(name) && !annotatedTags.has(name)) return ''
  if (slash !== '') return `</${name}>`
  // Classes at most name colours, so letters and digits are enough.
  const kept = classes.replace(/[^\p{L}\p{N}._-]/gu, '')
  if (!annotatedTags.has(name)) return `<${name}${kept}>`
  const words = cleanText(annotation).replaceAll(/\s+/g, ' ').trim()
  return words === '' ? '' : `<${name}${kept} ${words}>`
}

/** A `<` opens a tag only before a name, an end tag or a timestamp; elsewhere it is unescaped text. */
const webVttTags = /<(\/?[a-z][^<>]*|[\d:.]+|\/?)>/gi

/** Removes blank lines, because a blank line ends a cue. */
const withoutBlankLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .join('\n')

export const cleanWebVttText = (text: string): string => {
  let clean = ''
  let end = 0
  for (const match of text.matchAll(webVttTags)) {
    clean += cleanText(text.slice(end, match.index)) + cleanTag(match[1] ?? '')
    end = match.index + match[0].length
  }
  return withoutBlankLines(clean + cleanText(text.slice(end)))
}

/** Returns sanitized cue text without tags, as one line. */
export const plainCueText = (text: string): string =>
  decoded(text.replaceAll(/<[^<>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Keeps the SubRip tags i, b and u. Drops font tags and the overrides in braces that some programs leave. */
export const cleanSubRipText = (text: string): string =>
  withoutBlankLines(
    text
      .replaceAll(/\{\\[^{}]*\}/g, '')
      .split(/(<\/?[ibu]>|<\/?font(?:\s[^<>]*)?>)/i)
      .map((part, index) => {
        if (index % 2 === 0) return cleanText(part)
        return /font/i.test(part) ? '' : part.toLowerCase()
      })
      .join(''),
  )
