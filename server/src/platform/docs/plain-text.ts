import type { Token, Tokens } from 'marked'

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

const cellText = (cells: readonly Tokens.TableCell[]): string =>
  cells.map(({ tokens }) => plainText(tokens)).join(' ')

const textOf = (token: Token): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map(cellText).join(' · ')
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join(' ')
  if (token.type === 'space') return ' '
  if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
  const text = 'text' in token ? String(token.text) : ''
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
}

export const plainText = (tokens: readonly Token[]): string =>
  tokens.map(textOf).join('').replace(/\s+/g, ' ').trim()
