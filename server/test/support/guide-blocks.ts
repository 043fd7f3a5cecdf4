import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface GuideBlock {
  readonly language: string
  /** How the reader calls the API: `curl`, `TypeScript` or `CLI`. Null for blocks that all readers follow. */
  readonly tab: string | null
  readonly code: string
}

export const guideBlocksOf = async (path: string): Promise<GuideBlock[]> => {
  const text = await readFile(`${root}/${path}`, 'utf8')
  return [...text.matchAll(/^```(\w*)(?: tab=(\w+))?\n([^]*?)^```$/gm)].map(
    ([, language = '', tab = null, code = '']) => ({ language, tab, code }),
  )
}
