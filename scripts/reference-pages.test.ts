import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { referencePages, type OpenApi } from './reference-pages.ts'

const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')
const document = JSON.parse(await read('server/openapi.json')) as OpenApi

test.each(Object.entries(referencePages(document)))(
  'docs/%s matches openapi.json (npm run openapi writes it)',
  async (name, page) => {
    expect(await read(`docs/${name}`)).toBe(page)
  },
)

test('docs/events.md has a complete example of every event', async () => {
  const page = await read('docs/events.md')
  for (const name of Object.keys(document.webhooks)) {
    const [, block = ''] = page.split(`\n## ${name}\n`)[1]?.split(/^```(?:json)?$/m) ?? []
    const [event] = JSON.parse(block) as [{ readonly Event: string }]
    expect(event.Event).toBe(name)
    expect(Object.keys(event).length, name).toBe(6)
  }
})
