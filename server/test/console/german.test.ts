import { readdir, readFile } from 'node:fs/promises'
import { ApiError, type ErrorDetail, type ErrorParams } from '@zoetrope/sdk'
import i18next from 'i18next'
import { beforeAll, expect, test } from 'vitest'
import { warningCodes } from '../../../console/src/live/warning-codes.ts'
import { texts as germanTexts } from '../../../console/src/locales/de/index.ts'
import germanProblems from '../../../console/src/locales/de/problems.json' with { type: 'json' }
import { messageText } from '../../../console/src/shell/reason-text.ts'
import { problemText } from '../../../console/src/shell/problem-text.ts'
import { fieldErrors } from '../../../console/src/ui/forms/field-errors.ts'
import { healthFaults } from '../../src/live/node/health/health-rules.ts'

beforeAll(async () => {
  const resources = Object.fromEntries<object>(
    Object.entries(germanProblems).map(([section, words]) => [`problems.${section}`, words]),
  )
  resources['ui.problem'] = germanTexts.ui.problem
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
  [
    'The new source could not be used and the file plays as before: The file is not a video or audio file.',
    'new_source_unusable',
    { cause: { reason: 'file_not_media', params: {} } },
    'Die neue Quelle ist nicht brauchbar. Die Datei bleibt wie zuvor abspielbar: Die Datei ist weder Video noch Audio.',
  ],
  [
    'media.example.com answered 404: there is nothing at this URL. It was tried 3 times.',
    'pull_tried_repeatedly',
    { cause: { reason: 'source_not_found', params: { host: 'media.example.com', status: 404 } }, count: 3 },
    'Unter dieser URL liegt bei media.example.com nichts (Antwort 404). Es gab 3 Versuche.',
  ],
  [
    'A publisher from 192.0.2.7 was accepted (OBS Studio 31.0).',
    'live_encoder_accepted',
    { address: '192.0.2.7', encoder: 'OBS Studio 31.0' },
    'Ein Encoder von 192.0.2.7 wurde angenommen (OBS Studio 31.0).',
  ],
  [
    'A publisher from 192.0.2.7 was refused: This live stream is disabled.',
    'live_publisher_refused',
    { address: '192.0.2.7', cause: { reason: 'live_disabled', params: {} } },
    'Ein Encoder von 192.0.2.7 wurde abgelehnt: Der Livestream ist deaktiviert.',
  ],
  [
    'The subtitles in English ("Signs") of the source are damaged or too large to be converted. Upload them as WebVTT or SubRip.',
    'subtitles_damaged',
    { track: 'in English ("Signs")', language: 'en', title: 'Signs' },
    'Die Untertitel auf Englisch („Signs“) der Quelle sind beschädigt oder zu groß zum Umwandeln. Laden Sie sie als WebVTT oder SubRip hoch.',
  ],
  [
    'https://login.example.com/token returned no token: invalid_client: Client disabled.',
    'provider_refused_token',
    { url: 'https://login.example.com/token', words: 'invalid_client: Client disabled' },
    'https://login.example.com/token hat kein Token ausgestellt: invalid_client: Client disabled.',
  ],
  [
    'https://login.example.com/token: login.example.com refused the connection on port 443.',
    'provider_not_reached',
    {
      url: 'https://login.example.com/token',
      cause: { reason: 'connection_refused', params: { host: 'login.example.com', port: 443 } },
    },
    'https://login.example.com/token: login.example.com hat die Verbindung auf Port 443 abgelehnt.',
  ],
  [
    'Project 7 has 1234 files. Delete them first, or use cascade=true.',
    'project_has_files',
    { projectId: 7, count: 1_234 },
    'Das Projekt hat 1.234 Dateien. Löschen Sie zuerst diese.',
  ],
])('the message "%s" is shown in German', (english, reason, params, german) => {
  expect(messageText(english, reason, params)).toBe(german)
})

test.each([
  ['without a reason, as in records of older releases', null, null],
  ['with a new reason', 'a_new_reason', {}],
  [
    'with a new cause',
    'live_publisher_refused',
    { address: '192.0.2.7', cause: { reason: 'x', params: {} } },
  ],
  ['with a reason that is a name of JavaScript', 'toString', {}],
])('a message %s is shown in English', (_case, reason, params) => {
  expect(messageText('Something new.', reason, params)).toBe('Something new.')
})

/** Codes of warnings in the sources of the live node. There is no list of them, because the API may add codes. */
const warningCodesOfServer = async (): Promise<Set<string>> => {
  const folder = new URL('../../src/live/', import.meta.url)
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !/test/.test(name),
  )
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, folder), 'utf8')))
  const found = texts.flatMap((text) => [...text.matchAll(/\.(?:raise|tell)\(\s*'([a-z_]+)'/g)])
  return new Set([...Object.keys(healthFaults), ...found.map(([, code = '']) => code)])
}

test('every warning of a live stream has a text in the console', async () => {
  const codes = await warningCodesOfServer()
  expect(codes.size).toBeGreaterThan(12)
  expect([...codes].filter((code) => !warningCodes.some((known) => known === code))).toEqual([])
})

/** An error of the API with this reason. */
const refusal = (
  reason: string,
  params: ErrorParams,
  details: readonly ErrorDetail[] = [],
  requestId: string | null = null,
): ApiError =>
  new ApiError({
    status: 400,
    type: 'invalid',
    message: 'Something new.',
    reason,
    params,
    details,
    requestId,
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
  [
    refusal('internal_error', {}, [], '487da684'),
    'Auf dem Server ist ein Fehler aufgetreten. Versuchen Sie es noch einmal. Tritt er wieder auf, melden Sie die ID der Anfrage. (487da684)',
  ],
  [refusal('a_new_reason', {}), 'Something new.'],
  [refusal('toString', {}), 'Something new.'],
])('the API error %o is shown in German', (error, text) => {
  expect(problemText(t, error)).toBe(text)
})

test('the reason of an identity provider is shown in German inside of a field error', () => {
  const params = { cause: { reason: 'provider_refused_client', params: { words: 'invalid_client' } } }
  const refused = { field: 'ClientId', issue: '…', reason: 'provider_test_failed', params }
  const german = 'wurde geprüft und abgelehnt: Der Anbieter lehnt den Client ab: invalid_client'
  expect(fieldErrors(refusal('several_fields_invalid', {}, [refused]))).toEqual({
    ClientId: `Dieser Wert ${german}.`,
  })
  expect(problemText(t, refusal('provider_test_failed', { field: 'ClientId', ...params }, [refused]))).toBe(
    `ClientId ${german}.`,
  )
})

test('a field error is shown in German, and a new one as the server sends it', () => {
  const few = { field: 'Password', issue: '…', reason: 'too_few_characters', params: { min: 10 } }
  const strange = { field: 'Rules', issue: 'are odd', reason: 'odd', params: {} }
  expect(fieldErrors(refusal('several_fields_invalid', {}, [few, strange]))).toEqual({
    Password: 'Dieser Wert muss mindestens 10 Zeichen haben.',
    Rules: 'are odd',
  })
})

test('names the language of a subtitle track without its private subtags', () => {
  const text = messageText('', 'subtitles_of_same_language', { language: 'de-x-sport' })
  expect(text).toContain('Deutsch')
})
