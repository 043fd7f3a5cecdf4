import { fileURLToPath } from 'node:url'

/** Compile cache of the workers and products of all runs. Without it, each worker compiles a thousand modules for two seconds. */
export const compileCache = fileURLToPath(new URL('../../../node_modules/.cache/compile', import.meta.url))
