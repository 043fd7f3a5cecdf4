import { join } from 'node:path'
import { sharedFolder } from './run-folder.ts'

/** Compile cache of all products of a run: a killed product has no time to write its own. */
export const compileCache = async (): Promise<string> => join(await sharedFolder(), 'compile-cache')
