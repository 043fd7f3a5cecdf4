import { expect, it } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'

const headers = {
  'Content-Type': 'application/json',
  'webhook-id': 'evt_12345678_1',
  Authorization: 'Bearer aaaa.bbbb.cccc',
  'X-Tenant': 'news',
  'X-Api-Key': 'a "quoted" key',
}

it.each([
  ['Authorization: Bearer aaaa.bbbb.cccc\nx', 'Authorization: …\nx'],
  ['the token aaaa.bbbb.cccc', 'the token …'],
  ['{"key":"a \\"quoted\\" key"}', '{"key":"…"}'],
  ['cut at Bearer aaaa.bb', 'cut at …'],
  ['news of application/json evt_12345678_1', 'news of application/json evt_12345678_1'],
  ['Bearer', 'Bearer'],
])('hideSecrets turns %j into %j', (excerpt, kept) => {
  expect(hideSecrets(excerpt, headers)).toBe(kept)
})
