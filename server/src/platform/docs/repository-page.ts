import { posix } from 'node:path'

/** The page for links to a folder or to the front of the documentation. */
export const frontPath = 'docs/README.md'

/** Returns the path of a page below `/docs`: `docs/live.md` is `live`, `packages/sdk/README.md` is `sdk`. */
export const slugOf = (path: string): string =>
  path
    .replace(/^docs\//, '')
    .replace(/^packages\//, '')
    .replace(/(^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()

export const addressOf = (slug: string): string => (slug === '' ? '/docs' : `/docs/${slug}`)

/** Address of the page as Markdown. */
export const markdownAddressOf = (slug: string): string => `${addressOf(slug)}.md`

/** Address of a picture of `docs/pictures`. */
export const pictureAddressOf = (name: string): string => `/docs/pictures/${name}`

/**
 * Resolves a link of the page at `from` to a file of the repository and a fragment. Returns null for links
 * elsewhere.
 */
export const linkedPath = (
  from: string,
  href: string,
): { readonly path: string; readonly hash: string } | null => {
  if (/^[a-z]+:/i.test(href) || href.startsWith('/')) return null
  const [name = '', hash = ''] = href.split('#', 2)
  const path = name === '' ? from : posix.join(posix.dirname(from), name)
  return { path, hash: hash === '' ? '' : `#${hash}` }
}

/** Resolves the address of a picture in the page at `from` to its name in `docs/pictures`, or returns null. */
export const pictureNameOf = (from: string, href: string): string | null =>
  /^docs\/pictures\/([\w-]+\.svg)$/.exec(linkedPath(from, href)?.path ?? '')?.[1] ?? null
