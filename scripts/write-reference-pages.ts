import { readFile, writeFile } from 'node:fs/promises'
import { referencePages, type OpenApi } from './reference-pages.ts'

const text = await readFile(new URL('../server/openapi.json', import.meta.url), 'utf8')
for (const [name, page] of Object.entries(referencePages(JSON.parse(text) as OpenApi)))
  await writeFile(new URL(`../docs/${name}`, import.meta.url), page)
