import type { RenderedPage, Section } from './render-page.ts'

export interface Found {
  readonly page: Pick<RenderedPage, 'slug' | 'title'>
  readonly section: Section
  readonly excerpt: string
}

const maxFound = 20
const maxQueryLength = 100
const maxWords = 8
const excerptLength = 180

export const wordsOf = (query: string): string[] =>
  query
    .slice(0, maxQueryLength)
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word !== '')
    .slice(0, maxWords)

const lowered = new WeakMap<Section, { readonly heading: string; readonly text: string }>()

const lowerOf = (section: Section): { readonly heading: string; readonly text: string } => {
  const known = lowered.get(section)
  if (known !== undefined) return known
  const lower = { heading: section.heading.toLowerCase(), text: section.text.toLowerCase() }
  lowered.set(section, lower)
  return lower
}

const isPartOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** Returns whether a word of the text starts with this one. */
const begins = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isPartOfWord(text[at - 1])) return true
  return false
}

/**
 * Ranks headings above titles above text, and word starts above inner matches. Zero when a word is missing.
 */
const scoreOf = (words: readonly string[], title: string, section: Section): number => {
  const { depth } = section
  const { heading, text: lower } = lowerOf(section)
  let score = words.length > 1 && `${heading} ${lower}`.includes(words.join(' ')) ? 25 : 0
  for (const word of words) {
    const inTitle = title.includes(word)
    const inHeading = heading.includes(word)
    if (!inTitle && !inHeading && !lower.includes(word)) return 0
    if (inHeading) score += begins(heading, word) ? 40 : 20
    if (inTitle) score += depth === 1 ? 30 : 5
    if (lower.includes(word)) score += begins(lower, word) ? 4 : 1
    score += Math.min(lower.split(word).length - 1, 5)
  }
  return score
}

/** Starts shortly before the place where most of the words are close together. */
const excerptOf = (text: string, words: readonly string[]): string => {
  const lower = text.toLowerCase()
  const places = words.flatMap((word) => {
    const at = lower.indexOf(word)
    return at === -1 ? [] : [at, lower.indexOf(word, at + word.length), lower.lastIndexOf(word)]
  })
  const wordsFrom = (at: number): number =>
    words.filter((word) => lower.slice(at, at + excerptLength / 2).includes(word)).length
  const best = Math.max(0, ...places.map(wordsFrom))
  const at = places.filter((place) => wordsFrom(place) === best).sort((a, b) => a - b)[0] ?? 0
  const from = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1
  const piece = text.slice(from, from + excerptLength)
  return `${from === 0 ? '' : '… '}${piece}${from + excerptLength < text.length ? ' …' : ''}`
}

export const searchPages = (pages: readonly RenderedPage[], query: string): Found[] => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return pages
    .flatMap((page) =>
      page.sections.map((section) => ({
        page,
        section,
        score: scoreOf(words, page.title.toLowerCase(), section),
      })),
    )
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound)
    .map(({ page, section }) => ({ page, section, excerpt: excerptOf(section.text, words) }))
}
