import type { Token, Tokens } from 'marked'

/** Code blocks that do the same in several languages. The reader chooses one of them. */
export interface TabsToken {
  readonly type: 'tabs'
  readonly raw: string
  readonly tabs: readonly { readonly name: string; readonly code: Tokens.Code }[]
}

/** The first word after the fence: ` ```sh tab=curl ` is `sh`. */
export const languageOf = (lang: string | undefined): string => lang?.split(' ')[0] ?? ''

const tabOf = (token: Token): string | null =>
  token.type === 'code' ? (/ tab=(\S+)/.exec((token as Tokens.Code).lang ?? '')?.[1] ?? null) : null

/** Replaces each run of code blocks with a `tab=…` by one token. Other Markdown readers show the blocks one after the other. */
export const groupTabs = (tokens: readonly Token[]): Token[] => {
  const grouped: Token[] = []
  let open: { type: 'tabs'; raw: string; tabs: { name: string; code: Tokens.Code }[] } | null = null
  for (const token of tokens) {
    const name = tabOf(token)
    if (name !== null) {
      if (open === null) {
        open = { type: 'tabs', raw: '', tabs: [] }
        grouped.push(open)
      }
      open.tabs.push({ name, code: token as Tokens.Code })
    } else if (token.type !== 'space' || open === null) {
      open = null
      grouped.push(token)
    }
  }
  return grouped
}
