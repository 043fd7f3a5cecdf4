import type { MediaFile } from '@zoetrope/sdk'
import { expect, test } from 'vitest'
import { languageOfName, readCaptionText } from '../../../console/src/file/captions/read-caption-file.ts'
import { clockText, parseClock } from '../../../console/src/file/clock.ts'
import { codecName } from '../../../console/src/ui/codec-name.ts'
import { defaultOptions, frameCode, scriptCode } from '../../../console/src/ui/embed/embed-code.ts'
import { bodyOf } from '../../../console/src/file/metadata/metadata-edits.ts'
import { keepTyped } from '../../../console/src/ui/forms/keep-typed.ts'
import {
  afterSave,
  conflictsOf,
  insistOn,
  withEdit,
} from '../../../console/src/ui/forms/record/record-edits.ts'

test.each([
  ['62.5', 62.5],
  ['1:02.5', 62.5],
  ['1:02,5', 62.5],
  ['1:02:03', 3_723],
  ['', null],
  ['soon', null],
  ['-1', null],
  ['1:2:3:4', null],
])('the time %j parses to %j seconds', (text, seconds) => {
  expect(parseClock(text)).toBe(seconds)
})

test.each([0, 4.52, 59.999, 62.5, 3_723.04])(
  '%d seconds are formatted so that they parse back',
  (seconds) => {
    expect(parseClock(clockText(seconds))).toBeCloseTo(seconds, 2)
  },
)

test('a field conflicts only when both sides changed it to different values', () => {
  const before = { Title: 'Old', Genre: '', Series: '' }
  const edits = withEdit(before, withEdit(before, {}, 'Title', 'Mine'), 'Genre', 'News')
  expect(conflictsOf(before, edits)).toEqual([])
  expect(conflictsOf({ ...before, Series: 'Rivers' }, edits)).toEqual([])
  expect(conflictsOf({ ...before, Genre: 'News' }, edits)).toEqual([])
  const theirs = { ...before, Title: 'Theirs' }
  expect(conflictsOf(theirs, edits)).toEqual(['Title'])
  expect(conflictsOf(theirs, insistOn(theirs, edits, ['Title']))).toEqual([])
})

test('restoring the original value is no change, and input during a save is kept', () => {
  const before = { Title: 'Old' }
  const sent = withEdit(before, {}, 'Title', 'New')
  expect(withEdit(before, sent, 'Title', 'Old')).toEqual({})
  const typed = withEdit(before, sent, 'Title', 'Newer')
  const saved = { Title: 'New' }
  expect(afterSave(saved, sent, sent)).toEqual({})
  expect(afterSave(saved, typed, sent)).toEqual({ Title: { value: 'Newer', base: 'New' } })
  expect(conflictsOf(saved, afterSave(saved, typed, sent))).toEqual([])
})

test('saving custom fields sends edited fields, and null for removed ones', () => {
  const file = {
    Metadata: { CustomMetadata: { adsDisabled: true, desk: 'News', a: 1, b: 2 } },
  } as unknown as MediaFile
  const edited = (name: string, value: unknown) => bodyOf(file, { [name]: { value, base: null } }, ['desk'])
  expect(edited('CustomMetadata.desk', 'Sports')).toEqual({
    Metadata: { CustomMetadata: { desk: 'Sports' } },
  })
  expect(edited('OtherCustomMetadata', '{"b": 3}')).toEqual({
    Metadata: { CustomMetadata: { a: null, b: 3 } },
  })
})

test('captions are read as UTF-8 or Latin-1, and file names determine the language', () => {
  expect(readCaptionText(new Uint8Array(Buffer.from('Zürich')).buffer)).toBe('Zürich')
  expect(readCaptionText(new Uint8Array(Buffer.from('Z\xfcrich', 'latin1')).buffer)).toBe('Zürich')
  expect(languageOfName('show.pt-BR.vtt')).toBe('pt-BR')
  expect(languageOfName('show.srt')).toBeNull()
})

test('the embed code contains only non-default options, and a title stays text', () => {
  const uri = 'https://video.example.com/embed/0b8f8a4e'
  const shape = { title: '"><script>', ratio: [16, 9] } as const
  expect(scriptCode(uri, shape, defaultOptions)).toBe(
    '<script src="https://video.example.com/embed.js" data-playout="0b8f8a4e" async></script>',
  )
  const options = { ...defaultOptions, muted: true, startSeconds: 90, color: '#e0457b', hasControls: false }
  const code = frameCode(uri, shape, options)
  expect(code).toContain(
    'src="https://video.example.com/embed/0b8f8a4e?muted=1&amp;controls=0&amp;start=90&amp;color=e0457b"',
  )
  expect(code).toContain('title="&quot;&gt;&lt;script&gt;"')
  expect(scriptCode(uri, { ratio: [9, 16] }, options)).toContain('data-ratio="9:16"')
})

test('a form that was saved keeps what was typed during the request', () => {
  const sent = { Name: 'a', SignIn: { ClientId: 'b', Secret: 'c' }, Tags: ['d'] }
  const now = { Name: 'a', SignIn: { ClientId: 'typed', Secret: 'c' }, Tags: ['d', 'typed'] }
  const stored = { Name: 'A', SignIn: { ClientId: 'B', Secret: '' }, Tags: ['D'] }
  expect(keepTyped(sent, sent, stored)).toEqual(stored)
  expect(keepTyped(now, sent, stored)).toEqual({
    Name: 'A',
    SignIn: { ClientId: 'typed', Secret: '' },
    Tags: ['d', 'typed'],
  })
})

test.each([
  ['avc1.64001f', 'H.264'],
  ['h264', 'H.264'],
  ['av01.0.05M.08', 'AV1'],
  ['mpeg4', 'MPEG-4 Part 2'],
  ['mp3', 'MP3'],
  ['pcm_s16le', 'PCM'],
  ['unheard', 'unheard'],
])('the codec %s is shown as %s', (codec, name) => {
  expect(codecName(codec)).toBe(name)
})
