import { posix } from 'node:path'

/** The page that a link to a folder, or to the front of the documentation, means. */
export const frontPath = 'docs/README.md'

/** Where the page of a file of this repository is, below `/docs`: `docs/live.md` is `live`, `packages/sdk/README.md` is `sdk`. */
export const slugOf = (path: string): string =>
  path
    .replace(/^docs\//, '')
    .replace(/^packages\//, '')
    .replace(/(^|\/)README\.md$/, '')
    .replace(/\.md$/, '')
    .toLowerCase()

export const addressOf = (slug: string): string => (slug === '' ? '/docs' : `/docs/${slug}`)

/** Where a link of the page at `from` leads: a file of the repository with what stands behind `#`, or null where it leads elsewhere. */
export const linkedPath = (
  from: string,
  href: string,
): { readonly path: string; readonly hash: string } | null => {
  if (/^[a-z]+:/i.test(href) || href.startsWith('/')) return null
  const [name = '', hash = ''] = href.split('#', 2)
  const path = name === '' ? from : posix.join(posix.dirname(from), name)
  return { path, hash: hash === '' ? '' : `#${hash}` }
}
