import { fileURLToPath } from 'node:url'

/** The program that `./zoetrope up` runs. It starts twice as fast as the sources; the setup of the tests builds it. */
export const mainScript = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
