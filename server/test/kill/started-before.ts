import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findFreePort } from '../support/free-port.ts'
import { madeOnce } from '../support/made-once.ts'
import { startProduct } from '../support/product.ts'

const run = promisify(execFile)

const makeStartedBefore = async (dataFolder: string): Promise<void> => {
  await mkdir(dataFolder)
  const product = await startProduct(dataFolder, await findFreePort())
  const exitCode = await product.stop()
  if (exitCode !== 0) throw new Error(`the first start ended with code ${exitCode}`)
  await rm(join(dataFolder, 'zoetrope.log'))
}

/**
 * Fills a data folder with the result of a first start and an orderly stop. Most tests cover later starts,
 * and a first start takes seconds to create, migrate and seed its database.
 */
export const fillAsStartedBefore = async (dataFolder: string): Promise<void> => {
  const made = await madeOnce('started', makeStartedBefore)
  // `-a` keeps owners, because the database files belong to their own user.
  await run('cp', ['-a', `${made}/.`, dataFolder])
}
