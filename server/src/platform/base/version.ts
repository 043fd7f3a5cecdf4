import { readFileSync } from 'node:fs'

const root = new URL('../../../../', import.meta.url)

const readLine = (path: string): string | null => {
  try {
    return readFileSync(new URL(path, root), 'utf8').trim()
  } catch {
    return null
  }
}

const commitOfCheckout = (): string | null => {
  const head = readLine('.git/HEAD')
  const ref = /^ref: (refs\/[\w./-]+)$/.exec(head ?? '')?.[1]
  if (ref === undefined) return head
  return readLine(`.git/${ref}`) ?? packedCommit(ref)
}

/** Git packs the refs of a clone into one file of lines such as `<commit> refs/heads/main`. */
const packedCommit = (ref: string): string | null => {
  const lines = readLine('.git/packed-refs')?.split('\n') ?? []
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0] ?? null
}

const isCommit = (text: string | null): text is string => text !== null && /^[0-9a-f]{7,64}$/.test(text)

const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string }

/** The build of an image writes the commit into this file, because the image has no repository. */
const commit = [readLine('.zoetrope-image'), commitOfCheckout()].find(isCommit) ?? null

/** The commit is null in a copy of the sources without a repository. */
export const product: { readonly version: string; readonly commit: string | null } = { version, commit }
