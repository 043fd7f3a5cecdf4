import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

test('docs/identity-provider.md shows the code that the tests use to verify deliveries', async () => {
  const docs = await readFile(new URL('../../../../../docs/identity-provider.md', import.meta.url), 'utf8')
  const code = await readFile(new URL('../test-support/verify-delivery.ts', import.meta.url), 'utf8')
  expect(docs).toContain(`\`\`\`ts\n${code}\`\`\``)
})
