import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedFolder } from './run-folder.ts'
import { waitFor } from './wait-for.ts'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Creates the folder. Returns false when another process has created it already. */
const claim = (folder: string): Promise<boolean> =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )

/**
 * Returns the path of a read-only file or folder that is costly to make. The first caller of a name makes it,
 * once per run; the others wait. It is renamed into its final place when complete, so no caller sees a
 * partial one.
 */
export const madeOnce = async (name: string, make: (path: string) => Promise<unknown>): Promise<string> => {
  const folder = join(await sharedFolder(), 'made')
  await mkdir(folder, { recursive: true })
  const path = join(folder, name)
  const claimed = `${path}.making`
  while (!(await exists(path))) {
    if (!(await claim(claimed))) {
      await waitFor(
        () => exists(claimed),
        (isUnderWay) => !isUnderWay,
        120_000,
      )
      continue
    }
    try {
      // Another process may have finished it between the two checks.
      if (await exists(path)) break
      await make(join(claimed, name))
      await rename(join(claimed, name), path)
    } finally {
      await rm(claimed, { recursive: true, force: true })
    }
  }
  return path
}
