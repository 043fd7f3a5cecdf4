import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { BackupError, checksumsFile, manifestFile, sha256OfFile } from './backup-manifest.ts'

/** Reading and hashing overlap; more would only make the disk jump. */
const parallel = 4

interface FolderTotals {
  readonly fileCount: number
  readonly sizeBytes: number
}

const forAll = async <T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> => {
  const queue = items[Symbol.iterator]()
  const rest: Iterable<T> = { [Symbol.iterator]: () => queue }
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      for (const item of rest) await work(item)
    }),
  )
}

/** Every file of the folder but the two that speak of the others. */
const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => ![checksumsFile, manifestFile, `.${manifestFile}`].includes(path))
    .sort()
}

/** In the form of coreutils, so that `sha256sum --check` can verify a backup anywhere. */
export const writeChecksums = async (
  folder: string,
  onProgress: (doneBytes: number) => void,
): Promise<FolderTotals> => {
  const paths = await filesIn(folder)
  const list = createWriteStream(join(folder, checksumsFile), { mode: 0o600 })
  let sizeBytes = 0
  await forAll(paths, async (path) => {
    const sum = await sha256OfFile(join(folder, path))
    sizeBytes += (await stat(join(folder, path))).size
    list.write(`${sum}  ${path}\n`)
    onProgress(sizeBytes)
  })
  list.end()
  await finished(list)
  return { fileCount: paths.length, sizeBytes }
}

/** Throws BackupError with the first files that are missing, damaged or not listed. */
export const verifyChecksums = async (
  folder: string,
  expectedSha256: string,
  onProgress: (doneBytes: number) => void,
): Promise<void> => {
  const listPath = join(folder, checksumsFile)
  const listSum = await sha256OfFile(listPath).catch(() => null)
  if (listSum !== expectedSha256) throw new BackupError(`${listPath} is missing or damaged.`)
  const expected = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(listPath) }))
    expected.set(line.slice(66), line.slice(0, 64))
  const wrong: string[] = []
  let doneBytes = 0
  await forAll(expected, async ([path, sum]) => {
    const found = await sha256OfFile(join(folder, path)).catch(() => null)
    if (found !== sum) wrong.push(`${path} is ${found === null ? 'missing' : 'damaged'}`)
    doneBytes += (await stat(join(folder, path)).catch(() => ({ size: 0 }))).size
    onProgress(doneBytes)
  })
  for (const path of await filesIn(folder))
    if (!expected.has(path)) wrong.push(`${path} does not belong to it`)
  if (wrong.length === 0) return
  const shown = wrong.slice(0, 5).map((one) => `  ${one}`)
  const more = wrong.length > shown.length ? [`  and ${wrong.length - shown.length} more`] : []
  throw new BackupError(['The backup is not whole:', ...shown, ...more].join('\n'))
}
