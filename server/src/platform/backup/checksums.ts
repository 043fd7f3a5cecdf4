import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { BackupError, checksumsFile, manifestFile, sha256OfFile } from './backup-manifest.ts'
import { encryptedSuffix } from './encryption.ts'
import { terminalText } from './terminal-text.ts'

/** Overlaps reading and hashing; more would only cause disk seeks. */
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

interface FolderContent {
  readonly files: readonly string[]
  /** Links and other special files, which a backup never contains: they would lead outside of the folder. */
  readonly others: readonly string[]
}

const contentOf = async (folder: string): Promise<FolderContent> => {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(
    (entry) => !entry.isDirectory(),
  )
  const paths = (isFile: boolean): string[] =>
    entries
      .filter((entry) => entry.isFile() === isFile)
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .sort()
  const manifests = [manifestFile, `${manifestFile}${encryptedSuffix}`]
  const ofThemselves = [checksumsFile, ...manifests, ...manifests.map((name) => `${name}.copying`)]
  return { files: paths(true).filter((path) => !ofThemselves.includes(path)), others: paths(false) }
}

/** Writes the format of coreutils, so that `sha256sum --check` can verify a backup anywhere. */
export const writeChecksums = async (
  folder: string,
  onProgress: (doneBytes: number) => void,
): Promise<FolderTotals> => {
  const { files } = await contentOf(folder)
  const lines: string[] = []
  let sizeBytes = 0
  await forAll(files, async (path) => {
    const sum = await sha256OfFile(join(folder, path))
    // Awaits the size first: other tasks would change the sum between the two halves of `+= await`.
    const { size } = await stat(join(folder, path))
    sizeBytes += size
    lines.push(`${sum}  ${path}\n`)
    onProgress(sizeBytes)
  })
  await using list = await open(join(folder, checksumsFile), 'w', 0o600)
  await list.writeFile(lines.join(''))
  await list.datasync()
  return { fileCount: files.length, sizeBytes }
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
  const { files, others } = await contentOf(folder)
  const there = new Set(files)
  const wrong = others.map((path) => `${path} is not a file`)
  let doneBytes = 0
  await forAll(expected, async ([path, sum]) => {
    // The list may name paths outside of the folder, which must not be touched.
    const isInside = there.has(path)
    const found = isInside ? await sha256OfFile(join(folder, path)).catch(() => null) : null
    if (found !== sum) wrong.push(`${path} is ${found === null ? 'missing' : 'damaged'}`)
    if (!isInside) return
    const { size } = await stat(join(folder, path)).catch(() => ({ size: 0 }))
    doneBytes += size
    onProgress(doneBytes)
  })
  for (const path of files) if (!expected.has(path)) wrong.push(`${path} does not belong to the backup`)
  if (wrong.length === 0) return
  const shown = wrong.slice(0, 5).map((one) => `  ${terminalText(one)}`)
  const more = wrong.length > shown.length ? [`  and ${wrong.length - shown.length} more`] : []
  throw new BackupError(['The backup is incomplete or damaged:', ...shown, ...more].join('\n'))
}
