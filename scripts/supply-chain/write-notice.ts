import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { noticeOf } from './notice.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lock = JSON.parse(await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8'))
await writeFile(new URL('../../NOTICE', import.meta.url), await noticeOf(lock, root))
