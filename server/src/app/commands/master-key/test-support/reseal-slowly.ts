import { readSync, writeSync } from 'node:fs'
import { openDatabase, type ConnectionOptions } from '../../../../platform/db/database.ts'
import { createSecrets } from '../../../../platform/base/secrets.ts'
import { resealValues } from '../reseal-values.ts'

// Prints a line after each batch that changed something and waits for a byte, so that the test can kill it
// between two batches.
const database = openDatabase(JSON.parse(process.env['TEST_CONNECTION'] ?? '') as ConnectionOptions)
const [current = Buffer.alloc(0), former = null] = (process.env['TEST_KEYS'] ?? '')
  .split(',')
  .map((key) => Buffer.from(key, 'base64'))
await resealValues(database, createSecrets(current, former), (changed) => {
  if (changed === 0) return
  writeSync(1, 'batch\n')
  readSync(0, Buffer.alloc(1))
})
await database.close()
