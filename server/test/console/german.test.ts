import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { germanFault } from '../../../console/src/file/german-faults.ts'
import { germanLine } from '../../../console/src/live/german-log.ts'
import { germanIssue, germanProblem } from '../../../console/src/shell/german-problems.ts'

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
  ['disabled', 'The live stream was disabled.', 'Der Livestream wurde abgeschaltet.', false],
  [
    'disabled',
    'A publisher from 192.0.2.7 was refused: This live stream is disabled.',
    'Ein Encoder von 192.0.2.7 wurde abgewiesen: Der Livestream ist abgeschaltet.',
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
    ...text.matchAll(/(?:code: |markAway\([^)]*|tellOwner\([^']*)'([a-z_]+)'/g),
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

const refusal = (type: string, message: string, details: { field: string; issue: string }[] = []) => ({
  type,
  message,
  details,
})

test.each([
  [refusal('forbidden', 'Your key or role does not allow users:write.'), /^Das erlaubt Ihre Rolle nicht/],
  [refusal('not_found', 'File 7 does not exist.'), /^Das gibt es nicht mehr/],
  [refusal('rate_limited', 'Too many attempts; try again in 8 s.'), /in 8 s/],
  [
    refusal('unauthorized', 'E-mail address or password is wrong, or this user may not sign in.'),
    /^E-Mail-Adresse oder Passwort ist falsch/,
  ],
  [
    refusal('invalid', 'Name must not be empty.', [{ field: 'Name', issue: 'must not be empty' }]),
    /^Name darf nicht leer sein\.$/,
  ],
  // Untranslated text is quoted.
  [
    refusal('invalid', 'Rules are odd.', [{ field: 'Rules', issue: 'are odd' }]),
    /^Das nimmt der Server nicht an: „Rules are odd\.“$/,
  ],
  [refusal('conflict', 'Something new.'), /„Something new\.“$/],
  [refusal('a_new_type', 'Something new.'), /„Something new\.“$/],
])('an API error is shown in German: %o', (refused, said) => {
  expect(germanProblem(refused)).toMatch(said)
})

test.each([
  ['must have at least 10 characters', 'muss mindestens 10 Zeichen haben'],
  ['must be a whole number from 64 to 4320', 'muss eine ganze Zahl von 64 bis 4320 sein'],
  [
    'must be one of draft, unpublished, published or null',
    'muss eines von diesen sein: draft, unpublished, published or null',
  ],
  ['is odd', 'is odd'],
])('the field error "%s" is shown as "%s"', (issue, german) => {
  expect(germanIssue(issue)).toBe(german)
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
