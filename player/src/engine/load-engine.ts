import type * as Engine from '../engine.ts'

let failures = 0

/**
 * Loads the engine on play. Browsers cache a failed import for the lifetime of the page, for example after a
 * server restart, so each retry uses another URL.
 */
export const loadEngine = async (): Promise<typeof Engine> => {
  try {
    if (failures === 0) return await import('../engine.ts')
    // The name in the build, next to this script.
    return (await import(/* @vite-ignore */ `./engine.js?${failures}`)) as typeof Engine
  } catch (error) {
    failures += 1
    throw error
  }
}
