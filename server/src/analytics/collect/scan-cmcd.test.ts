import { decodeCmcd } from '@svta/cml-cmcd'
import { describe, expect, test } from 'vitest'
import { readLine, readLoad, keysOfRequest } from './read-report.ts'
import { scanCmcd } from './scan-cmcd.ts'

/** As players send them. */
const lines = [
  'bl=(9800),br=(3349),cid="file-1",e=ps,sf=h,sid="6e2fb550-c457-11e9-bb97-0800200c9a66",sn=7,st=v,sta=k,ts=1764000000000,v=2',
  'e=t,sid="a",sn=12,sta=p,ts=1764000030000,mtp=(25400),pt=30250,v=2',
  'e=e,ec=("bufferStalledError"),sid="a",sta=f,ts=1764000031000,v=2',
  'bl=21300,br=3200,bs,cid="faec5fc2-ac30-11ea-bb37-0242ac130002",d=4004,mtp=25400,ot=v,pr=1.08,rtp=15000,sf=h,sid="6e2fb550",st=v,tb=6000',
  'br=(3349;v 128;a),e=ps,ltc=2100,msd=480,sid="with \\"quotes\\" and, comma",sta=s,ts=1,v=2',
  'su,nor="..%2F300kbps%2Ftrack.m4v",sid="x",com.example-key="a b",ot=av,d=2000',
  'bg,e=m,sid="b",ts=2,v=2',
]

/** The oracle keeps lists and symbols; the scanner reads the first item as a plain value. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return plain(value[0])
  if (typeof value !== 'object' || value === null)
    return typeof value === 'symbol' ? value.description : value
  if ('value' in value) return plain(value.value)
  return 'description' in value ? value.description : value
}

test.each(lines)('reads %s like @svta/cml-cmcd', (line) => {
  const expected = Object.fromEntries(
    Object.entries(decodeCmcd(line, { convertToLatest: false } as never)).map(([key, value]) => [
      key,
      plain(value),
    ]),
  )
  expect(scanCmcd(line)).toEqual(expected)
})

test.each([
  '',
  ',',
  'a=',
  'a="no end',
  'a=(1',
  'a=1,',
  'a=1 b=2',
  'Key=1',
  '{"Session": "aaaaaaaa"}',
  'a=\u{1F600}',
  Array.from({ length: 100 }, (_, index) => `k${index}`).join(),
])('refuses %j', (line) => {
  expect(scanCmcd(line)).toBeNull()
})

test('takes linear time for hostile lines', () => {
  for (const hostile of [
    '('.repeat(8_000),
    `a=(${' '.repeat(8_000)}`,
    `a="${'\\'.repeat(8_000)}`,
    'a;'.repeat(4_000),
  ])
    expect(scanCmcd(hostile)).toBeNull()
})

describe('readLine', () => {
  test.each([
    ['sf=h', 'hls'],
    ['sf=d', 'dash'],
    ['sf=x', null],
    ['sf="h"', 'hls'],
    ['sf=1', null],
    ['st=v', null],
  ])('reads the streaming format from %s', (key, format) => {
    expect(readLine(`${key},sid="a",ts=1`)?.format).toBe(format)
  })

  test('returns session, time, state and playhead', () => {
    expect(readLine('e=t,sid="a",sn=12,sta=p,ts=1764000030000,pt=30250,ltc=900,msd=480,v=2')).toEqual({
      sessionId: 'a',
      format: null,
      line: {
        ...{ sn: 12, ts: 1_764_000_030_000, sta: 'p', playheadMs: 30_250 },
        ...{
          startupMs: 480,
          latencyMs: 900,
          errorCode: null,
          bitRateKbps: null,
          rendition: null,
          scalePercent: null,
        },
      },
    })
  })

  test('keeps only what the database can store of an error code', () => {
    const { line } = readLine(`e=e,ec=("a\0b\u{1F600}c"),sid="a",sta=f,ts=1,v=2`) ?? {}
    expect(line?.errorCode).toBe('abc')
  })

  test('reads playhead and end from the custom keys of hls.js', () => {
    const { line } = readLine('cen="quit",com.zoetrope-pt=9000,e=ce,sid="a",sta=p,ts=1,v=2') ?? {}
    expect(line).toMatchObject({ sta: 'q', playheadMs: 9_000 })
  })

  test('reads the bit rate of what plays, or else of what loads, and the size of the picture', () => {
    const { line } = readLine('br=(3349;v 128;a),com.zoetrope-scale=150,e=t,pb=(1200),sid="a",ts=1') ?? {}
    expect(line).toMatchObject({ bitRateKbps: 1_200, scalePercent: 150 })
    expect(readLine('br=(3349),sid="a",ts=1')?.line.bitRateKbps).toBe(3_349)
    expect(readLine('br=(9999999),com.zoetrope-scale=-1,sid="a",ts=1')?.line).toMatchObject({
      ...{ bitRateKbps: null, rendition: null, scalePercent: null },
    })
  })

  test.each(['e=t,ts=1', 'e=t,sid="a"', 'sid="",ts=1', `sid="${'a'.repeat(65)}",ts=1`, 'sid="a",ts=-1'])(
    'refuses %s',
    (line) => expect(readLine(line)).toBeNull(),
  )
})

describe('keysOfRequest', () => {
  const found = { sid: 'a', ot: 'v', d: 4_004, bs: true }

  test('reads the query and the headers of versions 1 and 2 alike', () => {
    expect(keysOfRequest({ CMCD: 'bs,d=4004,ot=v,sid="a"' }, {})).toEqual(found)
    const headers = { 'cmcd-object': 'd=4004,ot=v', 'cmcd-session': 'sid="a"', 'cmcd-status': 'bs' }
    expect(keysOfRequest({}, headers)).toEqual(found)
    expect(keysOfRequest({}, {})).toBeNull()
  })

  test('counts only media as loaded', () => {
    expect(readLoad(found)).toEqual({
      ...{ sessionId: 'a', format: null },
      load: { isVideo: true, mediaMs: 4_004 },
    })
    expect(readLoad({ ...found, ot: 'm' })).toEqual({ sessionId: 'a', format: null, load: null })
    expect(readLoad({ ot: 'v', d: 4_004 })).toBeNull()
  })
})
