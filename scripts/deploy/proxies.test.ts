import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deployFolder } from './manifests.ts'

const page = readFileSync(join(deployFolder, '../docs/proxies.md'), 'utf8')

test.each([
  ['caddy', 'Caddyfile'],
  ['nginx', 'nginx.conf'],
  ['haproxy', 'haproxy.cfg'],
])('docs/proxies.md shows the %s configuration of deploy/proxies, which the tests run', (language, file) => {
  expect(page).toContain(
    `\`\`\`${language}\n${readFileSync(join(deployFolder, 'proxies', file), 'utf8')}\`\`\``,
  )
})
