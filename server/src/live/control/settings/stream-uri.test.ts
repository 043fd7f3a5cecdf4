import { describe, expect, test } from 'vitest'
import { createOutboundPolicy } from '../../../platform/outbound/outbound-policy.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { checkStreamUri, maskStreamUri } from './stream-uri.ts'

const policy = createOutboundPolicy({ allowCidrs: ['10.1.0.0/16'], isHttpAllowed: false })
const rtmp = ['rtmp', 'rtmps']

const issueOf = (uri: string, schemes: readonly string[]): string | null => {
  try {
    checkStreamUri(uri, 'URI', { schemes, policy })
    return null
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.message
  }
}

test.each<[string, readonly string[]]>([
  ['rtmp://live.example.com/app/key', rtmp],
  ['rtmp://live.example.com:1936/app/key?token=a', rtmp],
  ['rtmps://live.example.com/app/key', rtmp],
  ['rtmp://10.1.2.3/app/key', rtmp],
  ['rtmp://8.8.8.8/app', rtmp],
  ['RTMP://live.example.com/app/key', rtmp],
  ['rtmp://user:secret@live.example.com/app/key', rtmp],
  ['rtmp://live.example.com:80/app', rtmp],
  ['srt://live.example.com:9000?streamid=a&passphrase=0123456789', ['srt']],
  ['srt://[2606:4700::1111]:9000', ['srt']],
  ['srt://8.8.8.8:10080?streamid=a', ['srt']],
  ['https://example.com/live/main.m3u8?token=a', ['https', 'http']],
])('accepts %s', (uri, schemes) => {
  expect(issueOf(uri, schemes)).toBeNull()
})

test.each<[string, readonly string[], RegExp]>([
  ['', rtmp, /begins with rtmp:\/\/ or rtmps:\/\//],
  ['http://example.com/app', rtmp, /begins with rtmp/],
  ['rtmp:/example.com/app', rtmp, /begins with rtmp/],
  ['rtmp://', rtmp, /begins with rtmp/],
  ['rtmp://example.com/app/key with spaces', rtmp, /begins with rtmp/],
  ['rtmp://example.com/app\n-f', rtmp, /begins with rtmp/],
  ['rtmp://example.com/a|rtmp://127.0.0.1/b', rtmp, /begins with rtmp/],
  ['rtmp://example.com/a\0b', rtmp, /begins with rtmp/],
  ['rtmp://bücher.example/app', rtmp, /begins with rtmp/],
  ['rtmp://example.com', rtmp, /must have a path/],
  ['rtmp://127.0.0.1/app', rtmp, /not on the public internet/],
  ['rtmp://0x7f.1/app', rtmp, /not on the public internet/],
  ['rtmp://2130706433/app', rtmp, /not on the public internet/],
  ['rtmp://[::1]/app', rtmp, /not on the public internet/],
  ['rtmp://[::ffff:127.0.0.1]/app', rtmp, /not on the public internet/],
  ['rtmp://169.254.169.254/app', rtmp, /not on the public internet/],
  ['rtmp://10.2.0.1/app', rtmp, /not on the public internet/],
  ['rtmp://8.8.8.8:25/app', rtmp, /port 25/],
  ['srt://live.example.com', ['srt'], /must name a port/],
  ['http://example.com/main.m3u8', ['https', 'http'], /begin with https/],
  ['https://user:pass@example.com/main.m3u8', ['https', 'http'], /user name or password/],
  ['file:///etc/passwd', rtmp, /begins with rtmp/],
])('rejects %s', (uri, schemes, message) => {
  expect(issueOf(uri, schemes)).toMatch(message)
})

describe('credentials are hidden', () => {
  test.each<[string, string]>([
    ['rtmp://live.example.com/app/abcdefgh-1234', 'rtmp://live.example.com/app/…1234'],
    ['rtmp://live.example.com/app/short', 'rtmp://live.example.com/app/…'],
    ['rtmp://user:secret@live.example.com/app/abcdefgh-1234', 'rtmp://live.example.com/app/…1234'],
    ['rtmps://live.example.com/app/abcdefgh-1234?token=secret', 'rtmps://live.example.com/app/…1234?…'],
    ['srt://live.example.com:9000?passphrase=secret', 'srt://live.example.com:9000?…'],
    ['https://example.com/live/main.m3u8?token=secret?a', 'https://example.com/live/main.m3u8?…'],
    ['https://example.com/live/main.m3u8', 'https://example.com/live/main.m3u8'],
  ])('in %s', (uri, masked) => {
    expect(maskStreamUri(uri)).toBe(masked)
  })
})
