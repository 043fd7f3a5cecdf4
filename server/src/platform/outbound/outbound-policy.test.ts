import { describe, expect, it } from 'vitest'
import { issueText, type Issue } from '../base/problem.ts'
import { createOutboundPolicy } from './outbound-policy.ts'

const textOf = (found: Issue | null): string => (found === null ? 'nothing is wrong' : issueText(found))

const strict = createOutboundPolicy({ allowCidrs: [], isHttpAllowed: true })

/** Private targets by kind, each in the spellings that a URL parser accepts. */
const privateTargets: Readonly<Record<string, readonly string[]>> = {
  'the machine itself': [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0X7F.0.0.0X1',
    '0177.0.0.1',
    '0177.1',
    '017700000001',
    '127.0.0.1.',
    '127.255.255.254',
    '①②⑦.⓪.⓪.①',
    '１２７.0.0.1',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '0',
    '0x0',
    '0.0.0.0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::0.0.0.1]',
  ],
  'private networks': [
    '10.0.0.1',
    '10.255.255.255',
    '0xa.1',
    '012.0.0.1',
    '167772161',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '192.168.257',
    '0xc0a80101',
    '[fc00::1]',
    '[fd12:3456:789a::1]',
    '[fec0::1]',
  ],
  'metadata addresses of clouds, which expose secrets': [
    '169.254.169.254',
    '169.254.43518',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[::ffff:168.63.129.16]',
  ],
  'link-local addresses and those of carriers': [
    '169.254.0.1',
    '100.64.0.1',
    '100.127.255.254',
    '[fe80::1]',
    '[febf::1]',
  ],
  'IPv4 within IPv6': [
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[0:0:0:0:0:ffff:0a00:0001]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::a00:1]',
    '[64:ff9b::a9fe:a9fe]',
    '[64:ff9b:1::1]',
    '[64:ff9b:1::808:808]',
    '[2002:7f00:1::]',
    '[2002:0a00:0001::1]',
    '[2002:808:808::1]',
    '[2001:0:53aa:64c::1]',
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  ],
  'what is set aside': [
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '4294967295',
    '[100::1]',
    '[2001:2::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[4000::1]',
    '[5f00::1]',
    '[ff02::1]',
    '[ff0e::1]',
  ],
}

describe('a target outside the public internet is refused in every spelling:', () => {
  for (const [what, hosts] of Object.entries(privateTargets))
    it(`${what}, in ${hosts.length} spellings`, () => {
      const taken = hosts.filter(
        (host) => !/not on the public internet/.test(textOf(strict.urlIssue(`http://${host}/`))),
      )
      expect(taken).toEqual([])
    })
})

/** Spellings that a resolver may return; a URL cannot contain most of them. */
it.each([
  'fe80::1%eth0',
  'fe80::1%1',
  '::1%lo',
  '::ffff:10.0.0.1',
  '10.0.0.1',
  '2606:4700::1111%',
  '',
  '127.0.0.1\0',
  '8.8.8.8/32',
  ' 8.8.8.8',
  '8.8.8.8.8',
  'localhost',
])('refuses the resolved address "%s"', (address) => {
  expect(strict.addressIssue(address, 443)).not.toBeNull()
})

it.each([
  '8.8.8.8',
  '1.1.1.1',
  '0x08080808',
  '168.63.129.17',
  '172.32.0.1',
  '100.128.0.1',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001:80b::200e]',
  '[64:ff9b::808:808]',
  '[::ffff:8.8.8.8]',
])('accepts the public target %s', (host) => {
  expect(strict.urlIssue(`http://${host}/`)).toBeNull()
})

describe('when http is allowed', () => {
  it('lists http beside https', () => {
    const issueOf = (isHttpAllowed: boolean) =>
      textOf(createOutboundPolicy({ allowCidrs: [], isHttpAllowed }).urlIssue('ftp://example.com/'))
    expect(issueOf(true)).toBe('must begin with https:// or http://')
    expect(issueOf(false)).toBe('must begin with https://')
  })
})

describe('outbound policy judges a URL as its parser reads it', () => {
  const notPublic = 'not on the public internet'
  it.each([
    ['ftp://example.com/', 'must begin with https://'],
    ['file:///etc/passwd', 'must begin with https://'],
    ['gopher://example.com/', 'must begin with https://'],
    ['javascript:alert(1)', 'must begin with https://'],
    ['data:text/plain,a', 'must begin with https://'],
    ['unix:/run/docker.sock', 'must begin with https://'],
    ['/relative', 'must be an absolute URL'],
    ['//example.com/', 'must be an absolute URL'],
    ['https://', 'must be an absolute URL'],
    ['https://[::1', 'must be an absolute URL'],
    ['https://[fe80::1%25eth0]/', 'must be an absolute URL'],
    ['https://[fe80::1%eth0]/', 'must be an absolute URL'],
    ['https://fe80::1/', 'must be an absolute URL'],
    ['https://256.256.256.256/', 'must be an absolute URL'],
    ['https://127.0.0.0.1/', 'must be an absolute URL'],
    ['https://0x7f.0.0.0.1/', 'must be an absolute URL'],
    ['https://example.com:65536/', 'must be an absolute URL'],
    ['https://exa mple.com/', 'must be an absolute URL'],
    ['https://127.0.0.1%00.example.com/', 'must be an absolute URL'],
    ['https://user@example.com/', 'must not contain a user name'],
    ['https://user:password@example.com/', 'must not contain a user name'],
    ['https://:password@example.com/', 'must not contain a user name'],
    ['https://example.com@127.0.0.1/', 'must not contain a user name'],
    ['https://127.0.0.1:443@example.com/', 'must not contain a user name'],
    ['https://example.com%40127.0.0.1@example.com/', 'must not contain a user name'],
    ['https://127.0.0.1\\@example.com/', notPublic],
    ['https://127.0.0.1#@example.com/', notPublic],
    ['https://127.0.0.1?@example.com/', notPublic],
    ['https:\\\\127.0.0.1/', notPublic],
    ['https:127.0.0.1', notPublic],
    ['https:////127.0.0.1/', notPublic],
    [' https://127.0.0.1/ ', notPublic],
    ['ht\ntps://12\t7.0.0.1/', notPublic],
    ['HTTPS://127.0.0.1/', notPublic],
    ['https://example.com:25/', 'uses port 25'],
    ['https://example.com:22/', 'uses port 22'],
    ['https://example.com:0/', 'uses port 0'],
    ['https://example.com:6379/', 'uses port 6379'],
    ['https://example.com:2375/', 'uses port 2375'],
    ['http://example.com:00025/', 'uses port 25'],
    ['https://8.8.8.8:53/', 'uses port 53'],
  ])('%j %s', (url, issue) => {
    expect(textOf(strict.urlIssue(url))).toContain(issue)
  })

  it.each([
    'https://example.com/',
    'https://example.com./',
    'https://bücher.example/',
    'https://example.com:8443/hook?a=b',
    'http://example.com:8080/',
    'https://example.com/?url=http://127.0.0.1/',
    'https://127.0.0.1.example.com/',
  ])('accepts %s', (url) => {
    expect(strict.urlIssue(url)).toBeNull()
  })
})

it('accepts http only when the operator allows it', () => {
  const httpsOnly = createOutboundPolicy({ allowCidrs: ['127.0.0.0/8'], isHttpAllowed: false })
  expect(textOf(httpsOnly.urlIssue('http://127.0.0.1/'))).toContain('OUTBOUND_ALLOW_HTTP')
  expect(httpsOnly.urlIssue('https://127.0.0.1/')).toBeNull()
})

describe('OUTBOUND_ALLOW_CIDRS', () => {
  it('opens only these networks, on any port, also for embedded addresses', () => {
    const policy = createOutboundPolicy({ allowCidrs: ['10.1.0.0/16', 'fd00:1::/32'], isHttpAllowed: true })
    expect(policy.addressIssue('10.1.2.3', 25)).toBeNull()
    expect(policy.addressIssue('::ffff:10.1.2.3', 25)).toBeNull()
    expect(policy.addressIssue('fd00:1::5', 9)).toBeNull()
    expect(textOf(policy.addressIssue('10.2.0.1', 443))).toContain('not on the public internet')
    expect(textOf(policy.addressIssue('fd00:2::5', 443))).toContain('not on the public internet')
    expect(textOf(policy.addressIssue('8.8.8.8', 25))).toContain('uses port 25')
  })

  it('reports a malformed entry to the operator', () => {
    expect(() => createOutboundPolicy({ allowCidrs: ['10.0.0.0'], isHttpAllowed: false })).toThrow(
      '"10.0.0.0" is not a network',
    )
  })
})
