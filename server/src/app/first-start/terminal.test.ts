import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTerminal, describeStart } from './terminal.ts'

beforeEach(() => vi.stubEnv('TERM', 'xterm'))

afterEach(() => vi.unstubAllEnvs())

const report = {
  publicUrl: 'http://localhost:8080',
  signInLink: 'http://localhost:8080/console/signin#secret',
  firstCredentials: {
    email: 'admin@localhost',
    password: 'a-password',
    apiKey: 'a-key',
    cliApiKey: 'cli-key',
  },
  logFile: '/data/zoetrope.log',
}
const bold = (text: string): string => `*${text}*`

test.each([
  ['the first start', report],
  ['a later start', { ...report, firstCredentials: null }],
  ['a start without a sign-in link', { ...report, signInLink: null, firstCredentials: null }],
])('%s prints at most five lines with one link in bold', (_what, started) => {
  const lines = describeStart(started, bold)
  expect(lines.length).toBeLessThanOrEqual(5)
  expect(lines.join('\n').match(/\*http\S+\*/g)).toHaveLength(1)
  expect(lines.join('\n').match(/http/g)).toHaveLength(1)
})

test('the first start prints password and API key once, and not the key of the command line', () => {
  const text = describeStart(report, bold).join('\n')
  for (const secret of ['a-password', 'a-key', 'admin@localhost'])
    expect(text.split(secret), secret).toHaveLength(2)
  expect(text).not.toContain('cli-key')
})

test('a step replaces the one before, and a line removes it', () => {
  const written: string[] = []
  const stream = { isTTY: true, columns: 20, write: (text: string) => written.push(text) }
  const terminal = createTerminal(stream as unknown as NodeJS.WriteStream)
  terminal.showStep('Creating a database in the data folder')
  terminal.print('ready')
  expect(written).toEqual(['\r\u001b[K', '  Creating a databa', '\r\u001b[K', '  ready\n'])
})
