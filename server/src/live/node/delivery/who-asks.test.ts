import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { nodeTokenHeader } from '../../../playback/live/pass-on.ts'
import { createWhoAsks } from './who-asks.ts'

const token = 'of-this-installation'
const who = createWhoAsks({ token, trustedProxies: ['10.0.0.0/8', 'fd00::/8'] })

const from = (remoteAddress: string | undefined, forwarded?: string, shown?: string) =>
  ({
    socket: { remoteAddress },
    headers: {
      ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }),
      ...(shown !== undefined && { [nodeTokenHeader]: shown }),
    },
  }) as unknown as IncomingMessage

test.each([
  ['who comes by itself', from('192.0.2.1'), '192.0.2.1'],
  ['who says to be another', from('192.0.2.1', '203.0.113.9'), '192.0.2.1'],
  ['who says so with a wrong token', from('192.0.2.1', '203.0.113.9', 'x'.repeat(20)), '192.0.2.1'],
  ['who was passed on', from('192.0.2.1', '203.0.113.9', token), '203.0.113.9'],
  ['who was passed on without an address', from('192.0.2.1', undefined, token), null],
  ['who came to an api node by a proxy of its machine', from('192.0.2.1', '127.0.0.1', token), null],
  ['who comes by a trusted proxy', from('10.1.2.3', '203.0.113.9'), '203.0.113.9'],
  ['… as IPv6 writes it', from('::ffff:10.1.2.3', '2001:db8::7'), '2001:db8::7'],
  ['… and sent a forged header', from('10.1.2.3', '198.51.100.1, 203.0.113.9'), '203.0.113.9'],
  ['… after another one', from('fd00::1', '203.0.113.9, 10.0.0.1'), '203.0.113.9'],
  ['… that says nothing', from('10.1.2.3'), null],
  ['… that says nonsense', from('10.1.2.3', 'unknown'), 'unknown'],
  ['who comes from this machine', from('::1'), null],
  ['who comes by a proxy of this machine', from('127.0.0.1', '203.0.113.9'), null],
  ['who has gone', from(undefined), null],
])('address of the viewer: %s', (_name, request, expected) => {
  expect(who.addressOf(request)).toBe(expected)
})

test('a request counts as forwarded only with a valid node token', () => {
  expect(who.isPassedOn(from('192.0.2.1', undefined, token))).toBe(true)
  for (const shown of [undefined, '', 'x'.repeat(token.length), `${token}x`])
    expect(who.isPassedOn(from('192.0.2.1', undefined, shown))).toBe(false)
})
