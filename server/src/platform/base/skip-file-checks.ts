import { registerHooks } from 'node:module'

/**
 * Resolves relative imports without asking the file system. Node.js otherwise looks up each file and its folders before
 * it reads the file: a sixth of the CPU time of a start with 2,000 modules. Reading a missing file still fails.
 */
export const skipFileChecks = (): void => {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('.') && context.parentURL !== undefined && context.conditions.includes('import')
        ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
        : next(specifier, context),
  })
}
