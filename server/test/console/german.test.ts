import { readdir, readFile } from 'node:fs/promises'
import { ApiError, type ErrorDetail, type ErrorParams } from '@zoetrope/sdk'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { germanFault } from '../../../console/src/file/german-faults.ts'
import { germanLine } from '../../../console/src/live/german-log.ts'
import { texts as germanTexts } from '../../../console/src/locales/de/index.ts'
import { problemText } from '../../../console/src/shell/problem-text.ts'
import { fieldErrors } from '../../../console/src/ui/forms/field-errors.ts'

beforeAll(async () => {
  const resources = Object.fromEntries(
    Object.entries(germanTexts.problems).map(([section, words]) => [`problems.${section}`, words]),
  )
  await i18next.init({
    lng: 'de',
    resources: { de: resources },
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
  })
})

const t = (key: string): string => key

test.each([
  ['started', 'The stream is live.', 'Der Stream ist live.', false],
  [
    'connected',
    'A publisher from 192.0.2.7 was accepted (OBS Studio 31.0).',
    'Ein Encoder von 192.0.2.7 wurde angenommen (OBS Studio 31.0).',
    false,
  ],
  [
    'connected',
    'A publisher from 2001:db8::7 was accepted.',
    'Ein Encoder von 2001:db8::7 wurde angenommen.',
    false,
  ],
  ['disabled', 'The live stream was disabled.', 'Der Livestream wurde deaktiviert.', false],
  [
    'disabled',
    'A publisher from 192.0.2.7 was refused: This live stream is disabled.',
    'Ein Encoder von 192.0.2.7 wurde abgewiesen: Der Livestream ist deaktiviert.',
    false,
  ],
  [
    'no_media',
    'The encoder sent no video or audio within 10 s.',
    'Was der Encoder sandte, lässt sich nicht zeigen.',
    true,
  ],
  ['recording_finished', 'Recording 7 is the file 9.', 'Aufnahme 7 ist jetzt die Datei 9.', false],
])('the live log line %s, "%s", is shown in German', (Code, Message, text, isVague) => {
  expect(germanLine({ Code, Message })).toEqual({ text, isVague })
})

test.each([
  ['new_code', 'Something new.'],
  ['new_code', 'A publisher from 192.0.2.7 was refused: for a new reason.'],
  ['connected', 'Said in another way.'],
  ['toString', 'Nothing of ours.'],
])('the untranslated line %s, "%s" is shown unchanged', (Code, Message) => {
  expect(germanLine({ Code, Message })).toBeNull()
})

/** Codes in the sources of the live node. There is no list of them, because the API may add codes. */
const codesOfServer = async (): Promise<Set<string>> => {
  const folder = new URL('../../src/', import.meta.url)
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /^live\/.*\.ts$/.test(name) && !/test/.test(name),
  )
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/(?:code: |markAway\([^)]*|logToStream\([^']*)'([a-z_]+)'/g),
  ])
  return new Set(found.map(([, code = '']) => code))
}

test('every code that the server writes to the live log has a German translation', async () => {
  const codes = await codesOfServer()
  expect(codes.size).toBeGreaterThan(12)
  const messages: Record<string, string> = {
    connected: 'A publisher from 192.0.2.7 was accepted.',
    reconnected: 'The publisher is back, from 192.0.2.7.',
    recording_started: 'Recording 7 has begun.',
    wrong_passphrase: 'An SRT caller from 192.0.2.7 was refused: its passphrase is wrong or missing.',
  }
  const unknown = [...codes].filter(
    (Code) => germanLine({ Code, Message: messages[Code] ?? 'Something.' }) === null,
  )
  expect(unknown).toEqual([])
})

/** An error of the API with this reason. */
const refusal = (reason: string, params: ErrorParams, details: readonly ErrorDetail[] = []): ApiError =>
  new ApiError({
    status: 400,
    type: 'invalid',
    message: 'Something new.',
    reason,
    params,
    details,
    requestId: null,
    retryAfterSeconds: null,
  })

const nameIsEmpty = { field: 'Name', issue: 'must not be empty', reason: 'empty', params: {} }
const noRole = { field: 'Role', issue: 'is required', reason: 'required', params: {} }

test.each([
  [refusal('too_many_attempts', { seconds: 8 }), 'Zu viele Versuche. Versuchen Sie es in 8 s noch einmal.'],
  [refusal('empty', { field: 'Name' }, [nameIsEmpty]), 'Name darf nicht leer sein.'],
  [refusal('not_object', { field: 'The body' }), 'Der Inhalt muss ein Objekt sein.'],
  [
    refusal('several_fields_invalid', { first: '', count: 2 }, [nameIsEmpty, noRole]),
    'Name darf nicht leer sein; Role muss angegeben werden.',
  ],
  [refusal('a_new_reason', {}), 'Something new.'],
  [refusal('toString', {}), 'Something new.'],
])('the API error %o is shown in German', (error, text) => {
  expect(problemText(t, error)).toBe(text)
})

test('a field error is shown in German, and a new one as the server sends it', () => {
  const few = { field: 'Password', issue: '…', reason: 'too_few_characters', params: { min: 10 } }
  const strange = { field: 'Rules', issue: 'are odd', reason: 'odd', params: {} }
  expect(fieldErrors(refusal('several_fields_invalid', {}, [few, strange]))).toEqual({
    Password: 'muss mindestens 10 Zeichen haben',
    Rules: 'are odd',
  })
})

/**
 * Messages in the sources of the server for files that ffmpeg cannot read. Each inserted value becomes `7`.
 */
const faultsOfServer = async (): Promise<string[]> => {
  const folder = new URL('../../../packages/ffmpeg/src/', import.meta.url)
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.includes('.test.'),
  )
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  const found = texts.flatMap((text) => [
    ...text.matchAll(/['`]((?:The file|Processing the file) [^'`]+\.)['`]/g),
  ])
  return found.map(([, said = '']) => said.replace('${limit}', '7 hours').replaceAll(/\$\{[^}]*\}/g, '7'))
}

test('every file error of the server has a German translation', async () => {
  const faults = await faultsOfServer()
  expect(faults.length).toBeGreaterThan(12)
  expect(faults.filter((said) => germanFault(said) === said)).toEqual([])
})

test.each([
  [
    'The new source could not be used and the file plays as before: The file is not a video or audio file.',
    'Die neue Quelle ist nicht brauchbar, und die Datei spielt wie zuvor: Die Datei ist weder Video noch Audio.',
  ],
  ['media.example.com answered 404: there is nothing at this URL.', /bei media\.example\.com nichts/],
  ['Something new.', 'Something new.'],
])('the file error "%s" is shown in German', (said, german) => {
  expect(germanFault(said)).toEqual(german instanceof RegExp ? expect.stringMatching(german) : german)
})
