import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

export const findProgram = async (...names: readonly string[]): Promise<string | null> => {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}
