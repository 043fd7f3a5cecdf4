import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { mediaMessageTexts } from '../../packages/ffmpeg/src/run/media-message-texts.ts'
import { issueTexts } from '../../server/src/platform/base/problem-texts/issue-texts.ts'
import { messageTexts } from '../../server/src/platform/base/problem-texts/message-texts.ts'
import { problemTexts } from '../../server/src/platform/base/problem-texts/problem-texts.ts'
import { reasonsPage } from './reasons-page.ts'

test('docs/error-reasons.md matches the tables of reasons (npm run openapi writes it)', async () => {
  expect(await readFile(new URL('../../docs/error-reasons.md', import.meta.url), 'utf8')).toBe(reasonsPage())
})

test('problems, issues and messages have different reasons, in snake_case', () => {
  const reasons = [problemTexts, issueTexts, messageTexts, mediaMessageTexts].flatMap(Object.keys)
  expect(new Set(reasons).size).toBe(reasons.length)
  for (const reason of reasons) expect(reason).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
})

test('a problem is a sentence, and an issue is the end of one', () => {
  for (const [, text] of Object.values(problemTexts)) expect(text).toMatch(/^(?:[A-Z_]|\{|tus ).*[.}]$/)
  for (const text of Object.values(issueTexts)) expect(text).toMatch(/^[a-z].*[^.]$/)
})
