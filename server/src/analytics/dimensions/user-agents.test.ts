import { expect, test } from 'vitest'
import { agentOf } from './user-agents.ts'

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
    ['desktop', 'Chrome', 'Windows', null],
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
    ['desktop', 'Microsoft Edge', 'Windows', null],
  ],
  [`${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`, ['phone', 'Safari', 'iOS', null]],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webKit} Chrome/140.0.0.0 Mobile Safari/537.36`,
    ['phone', 'Chrome', 'Android', null],
  ],
  [
    `Mozilla/5.0 (Linux; Android 14; SM-X710) ${webKit} Chrome/140.0.0.0 Safari/537.36`,
    ['tablet', 'Chrome', 'Android', null],
  ],
  [
    'AppleCoreMedia/1.0.0.22F76 (iPhone; U; CPU OS 18_5 like Mac OS X; en_us)',
    ['phone', 'AppleCoreMedia', 'iOS', 'avplayer'],
  ],
  [
    'AndroidXMedia3/1.8.0 (Linux;Android 15) ExoPlayerLib/2.19.1',
    ['unknown', 'Android Browser', 'Android', 'exoplayer'],
  ],
  [undefined, ['unknown', 'unknown', 'unknown', null]],
  ['', ['unknown', 'unknown', 'unknown', null]],
  ['x'.repeat(100_000), ['unknown', 'unknown', 'unknown', null]],
  [`${'n'.repeat(90)}/1.0 (forged)`, ['unknown', 'n'.repeat(40), 'unknown', null]],
])('%s', (userAgent, expected) => {
  const { device, browser, os, player } = agentOf(userAgent)
  expect([device, browser, os, player]).toEqual(expected)
})
