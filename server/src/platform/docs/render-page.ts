import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../http/responses/escape-html.ts'
import { groupTabs, languageOf, type TabsToken } from './code-tabs.ts'
import { highlight } from './highlight.ts'
import { plainText } from './plain-text.ts'
import { addressOf, linkedPath, pictureNameOf, pictureAddressOf, slugOf } from './repository-page.ts'
import type { Picture } from './read-pictures.ts'

/** A heading and the text up to the next heading: the unit of search. */
export interface Section {
  readonly anchor: string
  readonly heading: string
  readonly depth: number
  readonly text: string
}

export interface RenderedPage {
  readonly path: string
  readonly slug: string
  readonly title: string
  readonly html: string
  readonly sections: readonly Section[]
}

export interface RenderContext {
  readonly isPage: (path: string) => boolean
  readonly publicUrl: string
  readonly pictures: ReadonlyMap<string, Picture>
}

/** URL in the sources, which readers see as the URL of their installation. */
export const writtenUrl = 'http://localhost:8080'

const parser = new Marked({ gfm: true })

export const parsePage = (markdown: string): Token[] => parser.lexer(markdown)

/** Makes anchors like GitHub, so that links work in both places. */
const createAnchors = (): ((heading: string) => string) => {
  const taken = new Map<string, number>()
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-')
    const count = taken.get(plain) ?? 0
    taken.set(plain, count + 1)
    return count === 0 ? plain : `${plain}-${count}`
  }
}

export const hrefOf = (path: string, href: string, { isPage, publicUrl }: RenderContext): string | null => {
  if (href.startsWith(writtenUrl)) return publicUrl + href.slice(writtenUrl.length)
  const linked = linkedPath(path, href)
  if (linked === null) return href
  if (linked.path === path) return linked.hash
  if (linked.path === 'README.md') return addressOf('')
  if (linked.path === 'server/openapi.json') return '/v3/openapi.json'
  return isPage(linked.path) ? addressOf(slugOf(linked.path)) + linked.hash : null
}

const sectionsOf = (tokens: readonly Token[]): Section[] => {
  const anchorOf = createAnchors()
  const starts = tokens.flatMap((token, index) => (token.type === 'heading' ? [index] : []))
  return starts.map((start, index) => {
    const heading = plainText(tokens.slice(start, start + 1))
    const below = tokens.slice(start + 1, starts[index + 1])
    const ordered = [
      ...below.filter(({ type }) => type !== 'code'),
      ...below.filter(({ type }) => type === 'code'),
    ]
    const { depth } = tokens[start] as Tokens.Heading
    return {
      anchor: anchorOf(heading),
      heading,
      depth,
      text: ordered
        .map((token) => plainText([token]))
        .join(' ')
        .trim(),
    }
  })
}

/** Renders one Markdown file as HTML. HTML in the file is shown as text, so a page cannot inject a script. */
export const renderPage = (path: string, tokens: Token[], context: RenderContext): RenderedPage => {
  const sections = sectionsOf(tokens)
  const anchors = sections.values()
  let tables = 0
  const located = (text: string): string => text.replaceAll(writtenUrl, context.publicUrl)
  // A wide code block scrolls, so it must be focusable by keyboard.
  const codeBlock = ({ text, lang }: Tokens.Code): string => {
    const language = languageOf(lang)
    return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${highlight(located(text), language)}</code></pre>\n`
  }
  const tabsRenderer = {
    name: 'tabs',
    renderer: (token: Tokens.Generic): string =>
      `<div class="tabs">\n${(token as TabsToken).tabs
        .map(
          ({ name, code }) =>
            `<div class="tab" data-tab="${escapeHtml(name)}"><p class="tab-name">${escapeHtml(name)}</p>${codeBlock(code)}</div>\n`,
        )
        .join('')}</div>\n`,
  }
  const marked = new Marked({
    gfm: true,
    extensions: [tabsRenderer],
    renderer: {
      heading({ depth, tokens: inner }) {
        const anchor = anchors.next().value?.anchor ?? ''
        const content = this.parser.parseInline(inner)
        if (depth === 1) return `<h1 id="${anchor}">${content}</h1>\n`
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${content}</a></h${depth}>\n`
      },
      code: codeBlock,
      codespan: ({ text }) => `<code>${escapeHtml(located(text))}</code>`,
      html: ({ text }) => escapeHtml(text),
      link({ href, tokens: inner }) {
        const content = this.parser.parseInline(inner)
        const target = hrefOf(path, href, context)
        return target === null ? content : `<a href="${escapeHtml(target)}">${content}</a>`
      },
      image: ({ href, text }) => {
        const name = pictureNameOf(path, href)
        const picture = name === null ? undefined : context.pictures.get(name)
        if (name === null || picture === undefined) return escapeHtml(text)
        const address = pictureAddressOf(name)
        return `<a class="picture" href="${address}"><img src="${address}" width="${picture.width}" height="${picture.height}" alt="${escapeHtml(text)}"></a>`
      },
      table({ header, rows }) {
        const cell = (tag: string, { tokens: inner }: Tokens.TableCell, label = ''): string =>
          `<${tag}${label === '' ? '' : ` data-label="${escapeHtml(label)}"`}>${this.parser.parseInline(inner)}</${tag}>`
        // On narrow screens, rows become blocks. With many columns, each cell then needs the name of its column.
        const labels = header.length > 3 ? header.map((one) => plainText(one.tokens)) : []
        // An empty cell must not be a header cell.
        const head = header.map((one) => cell(one.text === '' ? 'td' : 'th', one)).join('')
        const body = rows
          .map((row) => `<tr>${row.map((one, index) => cell('td', one, labels[index])).join('')}</tr>\n`)
          .join('')
        tables += 1
        return `<div class="table" role="region" aria-label="Table ${tables}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>\n`
      },
    },
  })
  return {
    path,
    slug: slugOf(path),
    title: sections[0]?.heading ?? path,
    html: marked.parser(groupTabs(tokens)),
    sections,
  }
}
