import { escapeHtml } from '../http/responses/escape-html.ts'
import type { Documentation, Topic } from './read-documentation.ts'
import type { RenderedPage } from './render-page.ts'
import { addressOf, markdownAddressOf } from './repository-page.ts'
import { searchPages, wordsOf, type Found } from './search-pages.ts'

/** What surrounds the text of every page. */
export interface PageFrame {
  readonly documentation: Documentation
  /** Part of the script and style URLs, so that browsers can cache both permanently. */
  readonly version: string
  readonly editUrl: string | null
}

interface Layout {
  readonly title: string
  readonly slug: string | null
  readonly query?: string
  readonly main: string
  readonly aside?: string
}

const sidebar = (topics: readonly Topic[], current: string | null): string =>
  topics
    .map(({ name, pages }, index) => {
      const links = pages.map(
        ({ slug, label }) =>
          `<li><a href="${addressOf(slug)}"${slug === current ? ' aria-current="page"' : ''}>${escapeHtml(label)}</a></li>`,
      )
      return `<p id="topic-${index}">${escapeHtml(name)}</p>
<ul aria-labelledby="topic-${index}">
${links.join('\n')}
</ul>`
    })
    .join('\n')

const styles = ['tokens', 'content', 'docs'] as const
const scripts = ['code', 'contents', 'search'] as const

/** On narrow screens the sidebar is a popover, which works without JavaScript. */
const layout = (
  { documentation: { topics }, version }: PageFrame,
  { title, slug, query = '', main, aside = '' }: Layout,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/icon.svg">
<link rel="preload" href="/docs/inter.woff2" as="font" type="font/woff2" crossorigin>
${styles.map((name) => `<link rel="stylesheet" href="/docs/${name}.css?v=${version}">`).join('\n')}
${scripts.map((name) => `<script type="module" src="/docs/${name}.js?v=${version}"></script>`).join('\n')}${
  slug === null ? '' : `\n<link rel="alternate" type="text/markdown" href="${markdownAddressOf(slug)}">`
}
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<button type="button" class="menu" popovertarget="contents">Contents</button>
<a class="home" href="/docs"><img src="/icon.svg" alt="" width="24" height="24"> Zoetrope docs</a>
<form role="search" action="/docs/search">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="100" autocomplete="off" aria-keyshortcuts="Control+K /" value="${escapeHtml(query)}">
<kbd aria-hidden="true">Ctrl K</kbd>
<div id="answers" hidden></div>
</form>
<a class="out" href="/reference">API reference</a>
<a class="out" href="/">Console</a>
</header>
<div class="columns">
<nav id="contents" popover aria-label="Documentation">
${sidebar(topics, slug)}
</nav>
<main id="main" tabindex="-1">
${main}
</main>
${aside}</div>
</body>
</html>
`

const onThisPage = ({ sections }: RenderedPage): string => {
  const headings = sections.filter(({ depth }) => depth === 2)
  if (headings.length < 2) return ''
  const links = headings.map(
    ({ anchor, heading }) => `<li><a href="#${anchor}">${escapeHtml(heading)}</a></li>`,
  )
  return `<aside aria-label="On this page">
<p>On this page</p>
<ul>
${links.join('\n')}
</ul>
</aside>
`
}

const neighbours = (topics: readonly Topic[], slug: string): string => {
  const all = [{ slug: '', label: 'All topics' }, ...topics.flatMap(({ pages }) => pages)]
  const at = all.findIndex((one) => one.slug === slug)
  if (at === -1) return ''
  const link = (rel: string, page: (typeof all)[number] | undefined): string =>
    page === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${addressOf(page.slug)}"><small>${rel === 'prev' ? 'Before' : 'Next'}</small> ${escapeHtml(page.label)}</a>`
  return `<nav class="neighbours" aria-label="Pages before and after">
${link('prev', at === 0 ? undefined : all[at - 1])}
${link('next', all[at + 1])}
</nav>`
}

const sourceOf = ({ path, slug }: RenderedPage, editUrl: string | null): string => {
  const where =
    editUrl === null
      ? `Its text is <code>${escapeHtml(path)}</code> in the repository.`
      : `<a href="${escapeHtml(`${editUrl}/${path}`)}">Edit this page</a>`
  return `<p class="source">Something wrong? ${where} <a href="${markdownAddressOf(slug)}">View as Markdown</a></p>
`
}

export const documentPage = (frame: PageFrame, page: RenderedPage): string =>
  layout(frame, {
    title: page.slug === '' ? 'Zoetrope documentation' : `${page.title} · Zoetrope`,
    slug: page.slug,
    main: `<article>
${page.html}</article>
${sourceOf(page, frame.editUrl)}${neighbours(frame.documentation.topics, page.slug)}`,
    aside: onThisPage(page),
  })

const marked = (text: string, words: readonly string[]): string => {
  if (words.length === 0) return escapeHtml(text)
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((piece, index) => (index % 2 === 1 ? `<mark>${escapeHtml(piece)}</mark>` : escapeHtml(piece)))
    .join('')
}

const foundItem = ({ page, section, excerpt }: Found, words: readonly string[]): string => {
  const hash = section.depth === 1 ? '' : `#${section.anchor}`
  const where = section.depth === 1 ? '' : `<small>${escapeHtml(page.title)}</small> `
  return `<li><a href="${addressOf(page.slug)}${hash}">${where}${marked(section.heading, words)}</a>
<p>${marked(excerpt, words)}</p></li>`
}

/** While the user types, the script shows the element with the id `results` below the search box. */
export const searchPage = (frame: PageFrame, query: string): string => {
  const found = searchPages([...frame.documentation.pages.values()], query)
  const words = wordsOf(query)
  const status =
    words.length === 0
      ? 'Type what you are looking for.'
      : found.length === 0
        ? 'Nothing was found. Try fewer words.'
        : `${found.length} ${found.length === 1 ? 'place' : 'places'} found`
  return layout(frame, {
    title: 'Search · Zoetrope',
    slug: null,
    query,
    main: `<h1>Search</h1>
<div id="results">
<p role="status">${status}</p>
<ol>
${found.map((one) => foundItem(one, words)).join('\n')}
</ol>
</div>`,
  })
}

export const missingPage = (frame: PageFrame): string =>
  layout(frame, {
    title: 'Not found · Zoetrope',
    slug: null,
    main: `<h1>This page does not exist</h1>
<p>Search for it above, or start at <a href="/docs">all topics</a>.</p>`,
  })
