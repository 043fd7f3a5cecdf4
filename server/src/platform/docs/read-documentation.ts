import { readFile } from 'node:fs/promises'
import type { Token, Tokens } from 'marked'
import { plainText } from './plain-text.ts'
import { llmsText, markdownOf } from './page-markdown.ts'
import { readPictures, type Picture } from './read-pictures.ts'
import { parsePage, renderPage, type RenderedPage } from './render-page.ts'
import { frontPath, linkedPath, slugOf } from './repository-page.ts'

export interface Topic {
  readonly name: string
  readonly pages: readonly { readonly slug: string; readonly label: string }[]
}

export interface DocumentationPage extends RenderedPage {
  readonly markdown: string
}

export interface Documentation {
  /** Sidebar topics, in the order of docs/README.md. */
  readonly topics: readonly Topic[]
  readonly pages: ReadonlyMap<string, DocumentationPage>
  readonly pictures: ReadonlyMap<string, Picture>
  /** Index of all pages for language models. */
  readonly llms: string
}

interface Source {
  readonly text: string
  readonly tokens: Token[]
}

const root = new URL('../../../../', import.meta.url)

const linksIn = (tokens: readonly Token[]): Tokens.Link[] =>
  tokens.flatMap((token) => {
    if (token.type === 'link') return [token as Tokens.Link]
    if (token.type === 'list') return linksIn((token as Tokens.List).items)
    if (token.type === 'table')
      return [(token as Tokens.Table).header, ...(token as Tokens.Table).rows]
        .flat()
        .flatMap((cell) => linksIn(cell.tokens))
    return 'tokens' in token ? linksIn(token.tokens ?? []) : []
  })

const pathsIn = (from: string, tokens: readonly Token[]): string[] =>
  linksIn(tokens)
    .map(({ href }) => linkedPath(from, href)?.path)
    .filter((path) => path?.endsWith('.md') === true && path !== 'README.md')
    .map(String)

/**
 * Reads all files that the front page links to, directly or through other pages. Skips missing files, which
 * the documentation test reports.
 */
const readAll = async (): Promise<Map<string, Source>> => {
  const found = new Map<string, Source>()
  const missing = new Set<string>()
  const queue = [frontPath]
  for (const path of queue) {
    if (found.has(path) || missing.has(path)) continue
    const text = await readFile(new URL(path, root), 'utf8').catch(() => null)
    if (text === null) {
      missing.add(path)
      continue
    }
    const tokens = parsePage(text)
    found.set(path, { text, tokens })
    queue.push(...pathsIn(path, tokens))
  }
  return found
}

/**
 * A topic is a level-two heading of the front page with the list below it. The first link of each list item
 * is a page of the topic.
 */
const topicsOf = (tokens: readonly Token[], isPage: (path: string) => boolean): Topic[] => {
  const topics: { name: string; pages: { slug: string; label: string }[] }[] = []
  for (const token of tokens) {
    if (token.type === 'heading' && (token as Tokens.Heading).depth === 2)
      topics.push({ name: plainText([token]), pages: [] })
    if (token.type !== 'list') continue
    for (const item of (token as Tokens.List).items) {
      const [link] = linksIn(item.tokens)
      const path = link === undefined ? undefined : linkedPath(frontPath, link.href)?.path
      if (link !== undefined && path !== undefined && isPage(path))
        topics.at(-1)?.pages.push({ slug: slugOf(path), label: plainText(link.tokens) })
    }
  }
  return topics.filter(({ pages }) => pages.length > 0)
}

/** Renders the files in `docs/` and the files they link to as pages of this installation. */
export const readDocumentation = async (publicUrl: string): Promise<Documentation> => {
  const [files, pictures] = await Promise.all([readAll(), readPictures(new URL('docs/pictures/', root))])
  const isPage = (path: string): boolean => files.has(path)
  const context = { isPage, publicUrl, pictures }
  const pages = new Map<string, DocumentationPage>()
  for (const [path, { text, tokens }] of files)
    pages.set(slugOf(path), {
      ...renderPage(path, tokens, context),
      markdown: markdownOf(path, text, context),
    })
  return {
    topics: topicsOf(files.get(frontPath)?.tokens ?? [], isPage),
    pages,
    pictures,
    llms: llmsText(pages.get('')?.markdown ?? ''),
  }
}
