import { expect, test } from 'vitest'
import { buildRequest, generateSecret, verify } from './index.ts'

const secret = generateSecret()
const request = (targetUrl: string, query: Record<string, string | number | null> = { event: 'file.new' }) =>
  buildRequest({
    targetUrl,
    query,
    id: 'evt_17_2',
    body: Buffer.from('[{"Name":"🎬"}]'),
    secrets: [secret],
    customHeaders: { 'X-Tenant': 'news' },
    now: new Date('2026-03-01T12:00:00.900Z'),
  })

test.each([
  ['https://example.com', 'https://example.com/?event=file.new'],
  ['https://example.com/hook?a=1&event=x', 'https://example.com/hook?a=1&event=x&event=file.new'],
  ['https://example.com/hook?', 'https://example.com/hook?event=file.new'],
  ['https://example.com/hook?a=1#part', 'https://example.com/hook?a=1&event=file.new'],
  ['http://localhost:3000/é', 'http://localhost:3000/%C3%A9?event=file.new'],
])('buildRequest appends the query to the one of %s', (targetUrl, url) => {
  expect(request(targetUrl).url).toBe(url)
})

test('buildRequest escapes query values and omits null values', () => {
  const { url } = request('https://example.com/', { ProjectId: 3, FileId: null, event: 'a b&c=d' })
  expect(url).toBe('https://example.com/?ProjectId=3&event=a%20b%26c%3Dd')
})

test('buildRequest sends the custom headers and a signature that is valid at that time', () => {
  const { headers, body } = request('https://example.com/')
  expect(headers).toEqual({
    'X-Tenant': 'news',
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'Zoetrope-Webhooks/1',
    'webhook-id': 'evt_17_2',
    'webhook-timestamp': '1772366400',
    'webhook-signature': expect.stringMatching(/^v1,/),
  })
  expect(verify({ headers, body, secrets: [secret], nowSeconds: 1_772_366_400 })).toEqual({
    id: 'evt_17_2',
    timestampSeconds: 1_772_366_400,
  })
})
