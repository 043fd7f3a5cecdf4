import fc from 'fast-check'

/** Text that is known to break programs. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udc00\ud800',
    '\ufeff',
    '\u202e\u2066',
    '👩‍👩‍👧‍👦'.repeat(50),
    'é'.normalize('NFD').repeat(300),
    "'; drop table projects; --",
    '%00%zz',
    '../../../etc/passwd',
    '<script>alert(1)</script>',
    '${jndi:ldap://x}',
    '\\',
    '"',
    '\r\nX-Injected: 1',
    'null',
    'NaN',
    '-0',
    '1e309',
    '0x10',
    '2026-02-30T25:61:61Z',
    '0000-00-00T00:00:00+00:00',
    '+275760-09-13T00:00:00Z',
    '9999-12-31T23:59:60-23:59',
    'javascript:alert(1)',
    'http://[::1',
    'http://user:pass@127.0.0.1:1/',
    'file:///etc/passwd',
    '*'.repeat(1_000),
    'a'.repeat(5_000),
    '('.repeat(200),
    '&|!():*<->',
    "a'b\\c",
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)

export const hostileNumber: fc.Arbitrary<number> = fc.constantFrom(
  0,
  -0,
  -1,
  1.5,
  -1e-320,
  1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  2 ** 63,
  -(2 ** 63) - 1,
  Number.MAX_SAFE_INTEGER,
)

const nested = (depth: number): unknown => {
  let value: unknown = 1
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      [],
      {},
      [null],
      [[[]]],
      { Id: null },
      { Id: -1 },
      [{ Id: 2 ** 60 }],
      { length: 1 },
      { toString: 1, valueOf: 1, toJSON: 1 },
      Array.from({ length: 600 }, (_none, index) => index),
      Array.from({ length: 1_200 }, () => ({ FileId: 1 })),
      Object.fromEntries(Array.from({ length: 300 }, (_none, index) => [`k${index}`, index])),
      nested(20),
      nested(40),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** Bodies that are no valid JSON objects, as bytes. */
export const hostileBody: fc.Arbitrary<Buffer> = fc
  .constantFrom<string | Buffer>(
    '',
    ' ',
    '{',
    '}',
    '{"a":}',
    "{'a': 1}",
    '{"a": 1,}',
    '{"a": NaN}',
    '{"a": 01}',
    '{"Name": "a"} trailing',
    'null',
    'true',
    '5',
    '"text"',
    '[]',
    '[{"Name": "a"}]',
    '\ufeff{"Name": "a"}',
    '{"Name": "a", "Name": 5}',
    '{"__proto__": {"isAdmin": true}, "Name": "a"}',
    '{"constructor": {"prototype": {}}}',
    '{"Name": "\\u0000"}',
    '{"Name": "\\ud800"}',
    '{"Name": 1e999}',
    '{"Id": 123456789012345678901234567890}',
    Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
    Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.alloc(64),
    '['.repeat(100_000),
    `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
    `{"Name": "${'a'.repeat(900_000)}"}`,
    `{"Name": "${'a'.repeat(1_100_000)}"}`,
  )
  .map((body) => Buffer.from(body as string))
