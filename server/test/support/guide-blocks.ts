import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface GuideBlock {
  readonly language: string
  readonly code: string
}

export const guideBlocksOf = async (path: string): Promise<GuideBlock[]> => {
  const text = await readFile(`${root}/${path}`, 'utf8')
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}
