import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { generateSdkFiles } from '../../../tools/codegen/write-sdk-types.ts'
import { operationTable } from '../src/generated/operation-table.ts'

const sources = new URL('../src/', import.meta.url)

test('the generated files are those of the present openapi.json (npm run codegen)', async () => {
  for (const [file, text] of await generateSdkFiles()) expect(await readFile(file, 'utf8')).toBe(text)
})

test('every operation of the API can be called', async () => {
  const names = (await readdir(sources, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('generated'),
  )
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, sources), 'utf8')))
  const source = texts.join('\n')
  const missing = Object.keys(operationTable).filter((id) => !source.includes(`'${id}'`))
  // The stream is opened by its path, because it has no JSON to be typed; tus is for clients that speak only that.
  expect(missing.toSorted()).toEqual(['createTusUpload', 'streamEvents'])
})
