import { expect, test } from 'vitest'
import { readRtmpUri } from './rtmp-address.ts'

test.each([
  ['rtmp://a.example/live/key', 'a.example', 1_935, false, 'live', 'key', 'rtmp://a.example/live'],
  ['rtmp://a.example:80/live/key', 'a.example', 80, false, 'live', 'key', 'rtmp://a.example:80/live'],
  ['RTMPS://a.example/app/x/key?a=b', 'a.example', 443, true, 'app/x', 'key?a=b', 'rtmps://a.example/app/x'],
  [
    'rtmp://[2001:db8::1]:1936/live/k%20y',
    '2001:db8::1',
    1_936,
    false,
    'live',
    'k y',
    'rtmp://[2001:db8::1]:1936/live',
  ],
  [
    'rtmp://a.example/live/k%3Fa%2Fb%27',
    'a.example',
    1_935,
    false,
    'live',
    "k?a/b'",
    'rtmp://a.example/live',
  ],
  ['rtmp://0x7f.1/live/key', '127.0.0.1', 1_935, false, 'live', 'key', 'rtmp://127.0.0.1/live'],
])('reads the address %s', (uri, hostname, port, isTls, app, streamName, tcUrl) => {
  expect(readRtmpUri(uri)).toEqual({ target: { hostname, port, isTls }, address: { app, streamName, tcUrl } })
})

test.each(['http://a.example/live/key', 'rtmp:/nothing', ''])('returns null for %j', (uri) => {
  expect(readRtmpUri(uri)).toBeNull()
})
