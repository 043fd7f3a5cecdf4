/**
 * Text of cues as it may go to any player. Only what WebVTT defines stays a tag; everything else is text, or gone. So players that put cues
 * into a page as HTML meet nothing that could run.
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

/** Plain text, in which entities may stand. */
const cleanText = (text: string): string => encoded(decoded(text))

/** W3C WebVTT 4.2.2: these have no annotation, `v` and `lang` have one. */
const plainTags = new Set(['c', 'i', 'b', 'u', 'ruby', 'rt'])
const annotatedTags = new Set(['v', 'lang'])
const timestampTag = /^(?:\d{2,5}:)?[0-5]\d:[0-5]\d\.\d{3}$/

const cleanTag = (inside: string): string => {
  if (timestampTag.test(inside)) return `<${inside}>`
  const [, slash = '', name = '', classes = '', annotation = ''] =
    /^(\/?)([a-z]+)((?:\.[^\s.<>&/]+)*)(?:\s+([^]*))?$/.exec(inside) ?? []
  if (!plainTags.has(name) && !annotatedTags.has(name)) return ''
  if (slash !== '') return `</${name}>`
  // Classes name colours at most: letters and digits are all they need.
  const kept = classes.replace(/[^\p{L}\p{N}._-]/gu, '')
  if (!annotatedTags.has(name)) return `<${name}${kept}>`
  const words = cleanText(annotation).replaceAll(/\s+/g, ' ').trim()
  return words === '' ? '' : `<${name}${kept} ${words}>`
}

/** A `<` begins a tag when a name, an end tag or a time follows it; elsewhere it was only not escaped. */
const webVttTags = /<(\/?[a-z][^<>]*|[\d:.]+|\/?)>/gi

/** Lines that are blank would end the cue. */
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

/** A cleaned text without its tags, in one line. */
export const plainCueText = (text: string): string =>
  decoded(text.replaceAll(/<[^<>]*>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** SubRip knows i, b and u; its font colours, and the overrides in braces that some programs leave, go. */
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
