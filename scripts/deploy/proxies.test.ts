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

test('nginx.conf sends requests to a restarted node again before the next one is restarted', () => {
  const servers = readFileSync(join(deployFolder, 'proxies/nginx.conf'), 'utf8').match(/^ {2}server \S.*;$/gm)
  // The default is ten seconds. If the last other node stops within them, nginx answers 502.
  expect(servers).toEqual([expect.stringContaining(' fail_timeout=1s;')])
})
