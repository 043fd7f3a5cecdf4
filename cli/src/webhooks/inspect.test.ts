import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buildRequest, generateSecret } from '@zoetrope/webhook-signature'
import { afterEach, expect, test } from 'vitest'
import { startCommand, type RunningCommand } from '../test-support/running-command.ts'

const secret = generateSecret()
let command: RunningCommand | null = null

afterEach(async () => {
  await command?.end('SIGKILL')
  command = null
})

const inspect = async (words: readonly string[]): Promise<{ url: string; lines: RunningCommand }> => {
  const lines = startCommand(['webhooks', 'inspect', '--port', '0', ...words])
  command = lines
  const url = /http:\/\/127\.0\.0\.1:\d+\//.exec(await lines.line(/http:/))?.[0] ?? ''
  return { url, lines }
}

const signed = (targetUrl: string, text = '[{"Event":"file.new","EventId":17,"File":{"Id":5}}]') =>
  buildRequest({
    targetUrl,
    query: { ProjectId: 3, FileId: 5, event: 'file.new' },
    id: 'evt_17_2',
    body: Buffer.from(text),
    secrets: [secret],
    now: new Date(),
  })

const post = (url: string, headers: Record<string, string>, body: Buffer) =>
  fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })

test('a request is shown with event, headers, formatted body and a valid signature', async () => {
  const { url, lines } = await inspect(['--secret', secret])
  const request = signed(`${url}hook`)
  const answer = await post(request.url, request.headers, request.body)
  expect(answer.status).toBe(204)
  await lines.line(/^answered 204$/)
  const shown = lines.lines.join('\n')
  expect(shown).toMatch(
    /^POST \/hook\?ProjectId=3&FileId=5&event=file\.new\nsignature: ok, signed \d+ s ago$/m,
  )
  expect(shown).toContain('event: file.new #17\n')
  expect(shown).toContain('\n  webhook-id: evt_17_2\n')
  expect(shown).toContain('\n    "File": {\n      "Id": 5\n')
  expect(await lines.end()).toBe('SIGINT')
})

test('an invalid signature is shown with its reason, for any body', async () => {
  const { url, lines } = await inspect(['--secret', secret, '--answer', '500', '--json'])
  const { headers, body } = signed(url)
  const tampered = Buffer.concat([body, Buffer.from(' ')])
  const answers = [
    await post(url, headers, tampered),
    await post(url, { ...headers, 'webhook-timestamp': '1000000000' }, body),
    await post(url, {}, Buffer.from('no \u001b[31mJSON')),
    await fetch(url),
  ]
  expect(answers.map(({ status }) => status)).toEqual([500, 500, 500, 500])
  const shown = lines.lines.slice(1).map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(shown.map(({ Signature }) => Signature)).toEqual([
    expect.stringContaining('WRONG (no_match)'),
    expect.stringContaining('WRONG (too_old)'),
    expect.stringContaining('WRONG (missing_header)'),
    expect.stringContaining('WRONG (missing_header)'),
  ])
  expect(shown[2]).toMatchObject({ Method: 'POST', URL: '/', Body: 'no \u001b[31mJSON', Answer: 500 })
})

test('control characters of a body do not reach the terminal', async () => {
  const { url, lines } = await inspect([])
  await post(url, {}, Buffer.from('red \u001b[31m and \u009b5m'))
  await lines.line(/^answered 204$/)
  expect(lines.lines).toContain('red  [31m and  5m')
  expect(lines.lines).toContain('signature: not checked')
})

test('an occupied port is reported', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const refused = startCommand(['webhooks', 'inspect', '--port', String(port)])
  await expect(refused.line(/Receiving/)).rejects.toThrow(`Cannot use port ${port} (EADDRINUSE)`)
  other.close()
})
