import { hrefOf, writtenUrl, type RenderContext } from './render-page.ts'
import { markdownAddressOf, pictureAddressOf, pictureNameOf } from './repository-page.ts'

const absolute = (href: string, publicUrl: string): string => (href.startsWith('/') ? publicUrl + href : href)

/** Links to another page lead to its Markdown, because a reader of Markdown follows links without a browser. */
const markdownLink = (path: string, href: string, context: RenderContext): string | null => {
  const picture = pictureNameOf(path, href)
  if (picture !== null) return context.publicUrl + pictureAddressOf(picture)
  const target = hrefOf(path, href, context)
  const [, slug, hash = ''] = /^\/docs(?:\/([^#]*))?(#.*)?$/.exec(target ?? '') ?? [null, null]
  if (slug === null) return target === null ? null : absolute(target, context.publicUrl)
  return context.publicUrl + markdownAddressOf(slug ?? '') + hash
}

/** The page as Markdown, with the addresses of this installation. Code blocks keep what looks like a link. */
export const markdownOf = (path: string, text: string, context: RenderContext): string =>
  text
    .split(/^(```[^]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (_whole, label: string, href: string) => {
            const target = markdownLink(path, href, context)
            return target === null ? label : `[${label}](${target})`
          }),
    )
    .join('')
    .replaceAll(writtenUrl, context.publicUrl)

/** The front page in the form of https://llmstxt.org: a title, a summary, and lists of links. */
export const llmsText = (frontPage: string): string =>
  frontPage.replace(
    /^# .*\n\n((?:.+\n)+)/,
    (_whole, summary: string) => `# Zoetrope\n\n> ${summary.trim().replaceAll('\n', ' ')}\n`,
  )
