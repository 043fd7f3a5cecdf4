import { expect, test } from 'vitest'
import { cleanSourceText } from './clean-source-text.ts'

test('keeps cues with blank lines, arrows and unescaped markup in their text', () => {
  const written = `WEBVTT

00:01.000 --> 00:02.000
a

b --> c & <d>

01:00:03.000 --> 01:00:04.000
<i>two</i> <script>x</script>
`
  expect(cleanSourceText(written)).toBe(`WEBVTT

00:00:01.000 --> 00:00:02.000
a
b --&gt; c &amp;

01:00:03.000 --> 01:00:04.000
<i>two</i> x
`)
})

test.each([
  ['nothing', ''],
  ['no cue', 'WEBVTT\n\n'],
  ['a cue that ends before it begins', 'WEBVTT\n\n00:02.000 --> 00:01.000\na\n'],
  ['a cue before the start', 'WEBVTT\n\n00:-2.-500 --> 00:-1.000\na\n'],
  ['a drawing', 'WEBVTT\n\n00:01.000 --> 00:02.000\nm 0 0 l 100 0 100.5 100 b 1 2 3 4 5 6\n'],
  ['a cue with unreadable times', 'WEBVTT\n\n99:99.000 --> 99:99.999\na\n'],
])('returns null for %s', (_name, written) => {
  expect(cleanSourceText(written)).toBeNull()
})

test('starts a cue at zero that begins before the timeline', () => {
  const written = 'WEBVTT\n\n00:-1.-478 --> 00:00.022\na\n\n00:01.022 --> 00:02.022\nb\n'
  expect(cleanSourceText(written)).toBe(`WEBVTT

00:00:00.000 --> 00:00:00.022
a

00:00:01.022 --> 00:00:02.022
b
`)
})
