import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGuardedAgent } from '../../../platform/outbound/guarded-agent.ts'
import { createLog } from '../../../platform/log/log.ts'
import { createBreachedPasswords } from './breached-passwords.ts'
import { createGuessEstimator } from './guess-estimator.ts'
import { createPasswordRules } from './password-rules.ts'

const estimator = createGuessEstimator()
const check = createPasswordRules(estimator, null)
const person = {
  email: 'Kim.Robinson@northwind-media.example',
  name: 'Kim Özdemir',
  accountName: 'Harbourlight',
}

test.each([
  'too short',
  // One password has ten code units but five characters, another one has ten only after normalization.
  '😀😁😂😃😄',
  'ﷺ',
  'aaaaaaaaaaaaaaaa',
  'abababababababab',
  'k7!xqk7!xqk7!xq',
  'abcdeabcdea',
  'kim.robinson@example.com',
  'kim.robinson123',
  'the robinsons live here',
  'KIM.ROBINSONkim.robinson',
  'özdemirs quiet house',
  'Zoetrope is running',
  'Northwind2026!',
  'northwindmedia1',
  'Harbourlight1!',
])('%s is short, repetitive or personal', async (password) => {
  await expect(check(password, 'Password', person)).rejects.toThrow(/^Password (must|is) /)
})

test.each([
  'Password2026!',
  'P@ssw0rd2026!',
  'Welcome2026!',
  'Welcome to 2026!!',
  'Willkommen123!',
  'HerzlichWillkommen1',
  'letmein12345',
  'qwertyuiop',
  'qwertzuiop1',
  'Qwertz12345!',
  'poiuytrewq',
  'asdfghjkl1!',
  '1qaz2wsx3edc',
  'q1w2e3r4t5y6',
  '1234567890',
  '9876543210abc',
  'abcdefghijkl',
  'abc123abc123!',
  'Sommer2026!!',
  'Winter2025!!',
  'Summer2026!!',
  'Autumn2025!',
  'Herbst2026!!',
  'Frühling2026!',
  'passwort1234',
  'Kennwort123',
  'Geheim1234!',
  'iloveyou123',
  'ichliebedich',
  'Hallo12345!',
  'Schatzi1234',
  'Fussball123',
  'football2026',
  'liverpool1892',
  'Bundesliga1',
  'Bayern1900!',
  'Berlin2026!',
  'Hamburg1887',
  'Deutschland1',
  'Dragon12345',
  'sunshine99!',
  'princess123',
  'superman123',
  'starwars1977',
  'trustno1trustno2',
  'monkey12345',
  'michael1987',
  'jennifer123',
  'Andreas1985',
  'Thomas1990!',
  '12.05.1987!',
  '20260101!!',
  'adminadmin1!',
  'Admin12345!',
  'root123456',
  'Change.Me.Now1',
  'internet123',
  'Mercedes123',
  'schalke04!!',
  'Test1234567',
  'default1234',
  'Company2026!',
  'Firma2026!!',
  'Video12345!',
  'hello world1',
  'mypassword1',
  'secret1234!',
])('%s is easy to guess', async (password) => {
  await expect(check(password, 'Password', person)).rejects.toMatchObject({
    code: 'invalid',
    details: [{ field: 'Password', reason: 'common_password' }],
  })
})

test.each([
  'three quiet lighthouses',
  'Größenwahn 42',
  '静かな三つの灯台が海辺に',
  'x7!kQ-29vv',
  'correct horse password staple',
  'a winter by the sea in 1987',
  'a ferry on the ninth wave',
  'drei stille Leuchttürme',
  'Kaffee tropft auf alte Karten',
  'quiet harbour seven',
  'the harbourlight ferry sings',
  'lampe-fenster-ziegel-moos',
  `${'three quiet lighthouses '.repeat(4)}and a half`,
])('%s is a valid password', async (password) => {
  await check(password, 'Password', person)
})

test('an estimate does not block the event loop', async () => {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 5)
  await createGuessEstimator().estimate('Sommer2026!!', [])
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(10)
})

const agent = createGuardedAgent({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: true })
const breached = createHash('sha1').update('drei stille Leuchttürme').digest('hex').toUpperCase()
const seen: string[] = []
const server = createServer((request, response) => {
  seen.push(`${request.url} ${String(request.headers['add-padding'])}`)
  if (request.url?.startsWith('/broken') === true) response.writeHead(500)
  // Padding has a count of 0.
  response.end(
    `${'0'.repeat(35)}:0\r\n${breached.slice(5)}:${request.url?.startsWith('/padded') === true ? 0 : 7}\r\n`,
  )
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  await agent.close()
  server.close()
})

const rulesWith = (rangeUrl: string) =>
  createPasswordRules(
    estimator,
    createBreachedPasswords(rangeUrl, { agent, log: createLog({ level: 'silent' }) }),
  )

test('a breached password is refused, and only five digits of its hash leave the machine', async () => {
  await expect(
    rulesWith(`${url}/range`)('drei stille Leuchttürme', 'Password', person),
  ).rejects.toMatchObject({
    details: [{ field: 'Password', reason: 'breached_password' }],
  })
  expect(seen).toEqual([`/range/${breached.slice(0, 5)} true`])
  await rulesWith(`${url}/range`)('three quiet lighthouses', 'Password', person)
  await rulesWith(`${url}/padded`)('drei stille Leuchttürme', 'Password', person)
})

test('without an answer of the list, a password is accepted', async () => {
  await rulesWith(`${url}/broken`)('drei stille Leuchttürme', 'Password', person)
  await rulesWith('http://127.0.0.1:9')('drei stille Leuchttürme', 'Password', person)
})
