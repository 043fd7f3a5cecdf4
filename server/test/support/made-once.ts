import { access, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sharedFolder } from './run-folder.ts'
import { waitFor } from './wait-for.ts'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Makes the folder and says so; false when somebody else has it already. */
const claim = (folder: string): Promise<boolean> =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
      return false
    },
  )

/**
 * The path of a file or folder that is costly to make and only read: made by the first who asks for this name, once for all files of a run.
 * Others wait meanwhile. It is made beside and renamed, so nobody sees half of it.
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
      // It may have been finished between the two looks.
      if (await exists(path)) break
      await make(join(claimed, name))
      await rename(join(claimed, name), path)
    } finally {
      await rm(claimed, { recursive: true, force: true })
    }
  }
  return path
}
