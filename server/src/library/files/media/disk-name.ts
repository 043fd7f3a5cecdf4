import { randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'disk.name'

/** Returns the unique name of a data folder, independent of host names. The first call creates it. */
export const diskNameOf = async (dataFolder: string): Promise<string> => {
  const path = join(dataFolder, fileName)
  const read = () =>
    readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
  const known = await read()
  if (known !== null) return known.trim()
  const given = randomUUID()
  const temporary = join(dataFolder, `.${fileName}-${given}`)
  try {
    await using handle = await open(temporary, 'wx', 0o600)
    await handle.writeFile(`${given}\n`)
    await handle.datasync()
    // Linking publishes the file in one step; the first of several processes wins.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  return (await read())?.trim() ?? given
}
