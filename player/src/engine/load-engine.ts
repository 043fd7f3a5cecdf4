import type * as Engine from '../engine.ts'

let failures = 0

/**
 * The engine, when there is something to play. Browsers remember for as long as the page is open that a script could not be loaded, while the
 * server restarted or the network was away: the next attempt asks by another address.
 */
export const loadEngine = async (): Promise<typeof Engine> => {
  try {
    if (failures === 0) return await import('../engine.ts')
    // As the build names it, beside the script that this is in.
    return (await import(/* @vite-ignore */ `./engine.js?${failures}`)) as typeof Engine
  } catch (error) {
    failures += 1
    throw error
  }
}
