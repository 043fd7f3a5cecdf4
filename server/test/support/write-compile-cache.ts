import { flushCompileCache } from 'node:module'
import { afterAll } from 'vitest'

// Vitest kills its workers, so they would never write their cache.
afterAll(() => flushCompileCache())
