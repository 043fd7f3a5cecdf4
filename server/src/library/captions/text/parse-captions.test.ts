import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CaptionError } from './caption-cues.ts'
import { captionSegment } from '../caption-segments.ts'
import { decodeCaptions, parseCaptions } from './parse-captions.ts'
import { readWebVtt } from './read-web-vtt.ts'
import { writeWebVtt } from './write-web-vtt.ts'

const clean = (text: string): string => writeWebVtt(parseCaptions(text))

const errorOf = (work: () => unknown): CaptionError => {
  try {
    work()
  } catch (error) {
    if (error instanceof CaptionError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const webVtt = (text: string, settings = ''): string =>
  `WEBVTT\n\n00:00:01.000 --> 00:00:02.000${settings}\n${text}\n`
const subRip = (text: string): string => `1\n00:00:01,000 --> 00:00:02,000\n${text}\n`

describe('SubRip parser', () => {
  test('converts SubRip to WebVTT', () => {
    expect(
      clean(
        '1\n00:00:01,000 --> 00:00:04,500\nWelcome\nto the show\n\n2\n00:00:05,000 --> 00:00:06,000\nBye\n',
      ),
    ).toBe(
      'WEBVTT\n\n00:00:01.000 --> 00:00:04.500\nWelcome\nto the show\n\n00:00:05.000 --> 00:00:06.000\nBye\n',
    )
  })

  test.each([
    ['a byte order mark', '\ufeff1\n00:00:01,000 --> 00:00:02,000\nHi\n'],
    ['carriage returns', '1\r\n00:00:01,000 --> 00:00:02,000\r\nHi\r\n\r\n'],
    ['old Macintosh line ends', '1\r00:00:01,000 --> 00:00:02,000\rHi\r'],
    ['no numbers', '00:00:01,000 --> 00:00:02,000\nHi'],
    ['points instead of commas', '1\n00:00:01.000 --> 00:00:02.000\nHi'],
    ['short times', '1\n0:00:01,0 --> 0:00:02,0\nHi'],
    ['coordinates', '1\n00:00:01,000 --> 00:00:02,000 X1:10 X2:20 Y1:1 Y2:2\nHi'],
    ['blank lines at both ends', '\n\n1\n00:00:01,000 --> 00:00:02,000\nHi\n\n\n\n'],
    ['an empty cue at the end', '1\n00:00:01,000 --> 00:00:02,000\nHi\n\n2\n'],
    ['a cue without text', '1\n00:00:00,000 --> 00:00:01,000\n\n2\n00:00:01,000 --> 00:00:02,000\nHi\n'],
  ])('accepts SubRip with %s', (_what, text) => {
    expect(clean(text)).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n')
  })

  test.each([
    ['<i>Hi</i>', '<i>Hi</i>'],
    ['<B>Hi</B>', '<b>Hi</b>'],
    ['<font color="#ff0000">Hi</font>', 'Hi'],
    ['a < b & c > d', 'a &lt; b &amp; c &gt; d'],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    [String.raw`{\pos(1,2)}Hi`, 'Hi'],
    ['Tom &amp; Jerry', 'Tom &amp; Jerry'],
    ['{not an override}', '{not an override}'],
    ['مرحبا 👋 日本語', 'مرحبا 👋 日本語'],
  ])('converts the text %j to %j', (text, expected) => {
    expect(clean(subRip(text))).toContain(`.000\n${expected}\n`)
  })

  test('keeps a cue at the top of the picture', () => {
    expect(clean(subRip(String.raw`{\an8}Hi`))).toContain('00:00:02.000 line:0\nHi')
  })
})

describe('WebVTT parser', () => {
  test('keeps settings and regions, and drops identifiers, notes and style sheets', () => {
    const text = [
      'WEBVTT - A title\nKind: captions\n',
      'STYLE\n::cue { background: url(https://evil.example.com/x) }\n',
      'NOTE a comment\nof two lines\n',
      'REGION\nid:fred width:40% lines:3 regionanchor:0%,100% viewportanchor:10%,90% scroll:up evil:1\n',
      'first cue\n00:01.000 --> 00:02.000 region:fred align:start line:-1 nonsense position:10%,line-left\nHi\n',
    ].join('\n')
    expect(clean(text)).toBe(
      'WEBVTT\n\nREGION\nid:fred\nwidth:40%\nlines:3\nregionanchor:0%,100%\nviewportanchor:10%,90%\nscroll:up\n\n' +
        '00:00:01.000 --> 00:00:02.000 region:fred align:start line:-1 position:10%,line-left\nHi\n',
    )
  })

  test.each([
    ['<v Fred>Hi</v>', '<v Fred>Hi</v>'],
    ['<v.loud Fred & Co>Hi', '<v.loud Fred &amp; Co>Hi'],
    ['<lang en-GB>Hi</lang>', '<lang en-GB>Hi</lang>'],
    ['<c.yellow.bg_blue>Hi</c>', '<c.yellow.bg_blue>Hi</c>'],
    ['<ruby>漢<rt>kan</rt></ruby>', '<ruby>漢<rt>kan</rt></ruby>'],
    ['Hi <00:00:01.500>there', 'Hi <00:00:01.500>there'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>Hi', 'Hi'],
    ['<b onclick=alert(1)>Hi</b>', '<b>Hi</b>'],
    ['<v "><img src=x>Hi', '<v ">Hi'],
    ['1 < 2 & 3 > 2', '1 &lt; 2 &amp; 3 &gt; 2'],
    ['a &lt;b&gt; &amp; &nbsp; &#60;script&#62;', 'a &lt;b&gt; &amp; \u00a0 &lt;script&gt;'],
    ['&lrm;שלום&rlm;', '&lrm;שלום&rlm;'],
  ])('converts the text %j to %j', (text, expected) => {
    expect(clean(webVtt(text))).toContain(`.000\n${expected}\n`)
  })

  test('accepts hours beyond 99', () => {
    expect(clean('WEBVTT\n\n123:00:00.000 --> 123:00:01.000\nHi')).toContain(
      '123:00:00.000 --> 123:00:01.000',
    )
  })

  test('keeps overlapping cues and sorts cues by start time', () => {
    const text =
      'WEBVTT\n\n00:05.000 --> 00:06.000\nc\n\n00:01.000 --> 00:03.000\na\n\n00:02.000 --> 00:04.000\nb'
    expect(parseCaptions(text).cues.map((cue) => cue.text)).toEqual(['a', 'b', 'c'])
  })
})

test.each([
  ['', 1, /no cue/],
  ['WEBVTT', 1, /no cue/],
  ['WEBVTT\n\nNOTE nothing else', 1, /no cue/],
  ['{"a": 1}', 1, /number and its times/],
  ['Hello', 1, /number and its times/],
  ['1\nHello', 1, /number and its times/],
  ['one\n00:00:01,000 --> 00:00:02,000\nHi', 1, /not the number/],
  ['1\n00:00:01,000 -> 00:00:02,000\nHi', 1, /number and its times/],
  ['1\n00:00:01 --> 00:00:02\nHi', 2, /not a pair of times/],
  ['1\n00:00:01,000 --> 00:00:02,000\nHi\n\n2\n00:61:00,000 --> 00:62:00,000\nHo', 6, /59/],
  ['1\n00:00:02,000 --> 00:00:01,000\nHi', 2, /later than its start/],
  ['1\n00:00:01,000 --> 00:00:01,000\nHi', 2, /later than its start/],
  ['1\n00:00:01,000 --> 00:00:02,000\nHi\n2\n00:00:02,000 --> 00:00:03,000\nHo', 5, /blank line is missing/],
  ['1\n00:00:01,000 --> 00:00:02,000\nHi\n\nstray text\n', 5, /number and its times/],
  ['1\n999999:00:01,000 --> 999999:00:02,000\nHi', 2, /not a pair of times/],
  ['WEBVTT\n00:01.000 --> 00:02.000\nHi', 2, /blank line is missing/],
  ['WEBVTT\n\nname\n00:01.000 --> x\nHi', 4, /not a pair of times/],
  ['WEBVTT\n\nname\nanother\n00:01.000 --> 00:02.000\nHi', 4, /one line before/],
  ['WEBVTT\n\n00:01,000 --> 00:02,000\nHi', 3, /not a pair of times/],
  ['WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nHi\r\n\r\nstray', 6, /needs its times/],
  ['WEBVTTX\n\n00:01.000 --> 00:02.000\nHi', 1, /number and its times/],
  ['<svg xmlns="http://www.w3.org/2000/svg"/>', 1, /number and its times/],
])('rejects %j at line %i', (text, lineNumber, reason) => {
  const error = errorOf(() => parseCaptions(text))
  expect(error.message).toMatch(reason)
  expect(error.issue.params['line']).toBe(lineNumber)
})

test.each([
  ['Latin-1', Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nSchön\n', 'latin1'), 3],
  ['UTF-16', Buffer.from('\ufeffWEBVTT\n', 'utf16le'), 1],
  ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 1],
])('rejects %s with the line number and advice to save as UTF-8', (_what, bytes, lineNumber) => {
  const error = errorOf(() => decodeCaptions(bytes))
  expect(error.message).toMatch(/not UTF-8; save it as UTF-8/)
  expect(error.issue.params['line']).toBe(lineNumber)
})

test('removes control characters and replaces NUL', () => {
  const text = clean(webVtt('a\u0000b\u0007c\u001bd\u0085e'))
  expect(text).toContain('a\ufffdbcde')
})

describe('arbitrary input', () => {
  const fragment = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom(
      ...['\n', '\r\n', '\n\n', 'WEBVTT', ' --> ', '00:00:01.000', '00:00:02,000', '1', 'NOTE', 'STYLE'],
      ...[
        '<v ',
        '<c.a',
        '>',
        '</',
        '<i>',
        '&',
        '&lt;',
        '&#60;',
        '<script>',
        '-->',
        'REGION\nid:a',
        ' align:start',
      ],
      ...['\u0000', '\u2028', '\ufeff', '\ud800', String.raw`{\an8}`, 'line:0'],
    ),
  )
  const anything = fc.oneof(
    fc.array(fragment, { maxLength: 40 }).map((parts) => parts.join('')),
    fc.array(fragment, { maxLength: 20 }).map((parts) => webVtt(parts.join(''))),
    fc.array(fragment, { maxLength: 20 }).map((parts) => subRip(parts.join(''))),
    fc.array(fragment, { maxLength: 8 }).map((parts) => webVtt('Hi', ` ${parts.join('')}`)),
  )

  test('parses to cues or fails with a line number', () => {
    fc.assert(
      fc.property(anything, (text) => {
        try {
          for (const cue of parseCaptions(text).cues) expect(cue.endMs).toBeGreaterThan(cue.startMs)
        } catch (error) {
          if (!(error instanceof CaptionError)) throw error
          expect(error.issue.params['line']).toBeGreaterThan(0)
          expect(error.issue.params['line']).toBeLessThanOrEqual(text.split(/\r\n?|\n/).length + 1)
        }
      }),
      { numRuns: 5_000 },
    )
  })

  test('is stored as WebVTT that parses to the same text and has only WebVTT tags', () => {
    fc.assert(
      fc.property(anything, (text) => {
        let kept: string
        try {
          kept = clean(text)
        } catch {
          return
        }
        expect(clean(kept)).toBe(kept)
        expect(readWebVtt(kept)).toEqual(parseCaptions(kept))
        expect(kept).toMatch(/^WEBVTT\n/)
        // oxlint-disable-next-line no-control-regex
        expect(kept).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\r/)
        for (const [, name] of kept.matchAll(/<\/?([^\d\s.>]+)/g))
          expect(['c', 'i', 'b', 'u', 'ruby', 'rt', 'v', 'lang', '/']).toContain(name)
      }),
      { numRuns: 5_000 },
    )
  })

  test('in bytes parses or fails with CaptionError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          parseCaptions(decodeCaptions(Buffer.from(bytes)))
        } catch (error) {
          expect(error).toBeInstanceOf(CaptionError)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  ['unfinished tags', `WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v '.repeat(1_500_000)}`],
  ['spaces before an arrow', `WEBVTT\n\n${' '.repeat(4_000_000)}-->`],
  ['braces', subRip('{\\'.repeat(2_000_000))],
  ['unfinished fonts', subRip('<font '.repeat(800_000))],
  ['ampersands', webVtt('&#'.repeat(2_000_000))],
  ['blank lines', `WEBVTT${'\n'.repeat(5_000_000)}`],
  ['settings', webVtt('Hi', ' line:0'.repeat(700_000))],
])('parses or rejects five megabytes of %s with seconds of processor time', (_what, text) => {
  const before = process.threadCpuUsage()
  try {
    clean(text)
  } catch (error) {
    expect(error).toBeInstanceOf(CaptionError)
  }
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(4_000)
})

test('a caption segment holds every cue visible in its time span and an X-TIMESTAMP-MAP', () => {
  const text =
    'WEBVTT\n\n00:01.000 --> 00:02.000\na\n\n00:05.000 --> 00:07.000\nb\n\n00:12.000 --> 00:13.000\nc'
  const document = parseCaptions(text)
  const textsOf = (index: number) => captionSegment(document, index, 1).match(/^[abc]$/gm) ?? []
  expect([0, 1, 2, 3].map(textsOf)).toEqual([['a', 'b'], ['b'], ['c'], []])
  expect(captionSegment(document, 3, 1)).toBe('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:90000,LOCAL:00:00:00.000\n')
})
