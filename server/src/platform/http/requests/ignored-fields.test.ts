import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../test-support/expect-problem.ts'

let server: TestServer
let project: number
let file: number

const strict = { Prefer: 'handling=strict' }
const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
  server.call(method, path, { body, headers })

beforeAll(async () => {
  server = await startTestServer()
  project = (await send('POST', '/projects', { Name: 'Fields' })).body.Id
  file = (await send('POST', `/projects/${project}/files`, { FileName: 'a.mp4' })).body.Id
})

afterAll(() => server.stop())

describe('a body with unknown fields', () => {
  test('is processed, and the response lists their paths', async () => {
    const path = `/projects/${project}`
    for (const [method, url, body, ignored] of [
      ['PUT', path, { tokenSecurity: true, Description: 'New' }, 'tokenSecurity'],
      [
        'PUT',
        path,
        { EncoderSettings: { useEncoding: true }, 'a,b\u00e9': 1 },
        'EncoderSettings.useEncoding, a?b?',
      ],
      ['POST', '/projects', { Name: 'a', tokenSecurity: true }, 'tokenSecurity'],
      [
        'PUT',
        `${path}/files/${file}`,
        { Metadata: { Foo: 1, Title: 'x' }, Title: 'y' },
        'Metadata.Foo, Title',
      ],
      ['PUT', `${path}/files/${file}/metadata`, { Metadata: { Title: 'x' }, title: 'x' }, 'Metadata, title'],
      ['POST', `${path}/files`, { FileName: 'b.mp4', Metadata: { Foo: null } }, 'Metadata.Foo'],
      [
        'PUT',
        `${path}/files/${file}/replace`,
        { FileName: 'b.mp4', Id: 7, Metadata: { Title: 'x' }, ExternalId: 'a', UseEncoding: false },
        'Metadata, ExternalId, UseEncoding',
      ],
      [
        'POST',
        '/modules/playlists',
        {
          Name: 'a',
          Elements: [
            { FileId: file, Bar: 1 },
            { FileId: file, bar: 2 },
          ],
        },
        'Elements[0].Bar, Elements[1].bar',
      ],
    ] as const) {
      const answer = await send(method, url, body)
      expect(`${JSON.stringify(body)} ${answer.status < 300}`).toBe(`${JSON.stringify(body)} true`)
      expect(answer.headers.get('x-ignored-fields')).toBe(ignored)
      expect(answer.headers.get('preference-applied')).toBeNull()
    }
  })

  test('answers 400 with details under Prefer: handling=strict, and changes nothing', async () => {
    const path = `/projects/${project}`
    for (const Prefer of ['handling=strict', 'return=minimal, Handling="strict"; wait=1']) {
      const answer = await send('PUT', path, { tokenSecurity: true, Nothing: 1, Name: 'Changed' }, { Prefer })
      expectProblem(answer, 'invalid')
      expect(answer.body.error.details).toMatchObject([
        { field: 'tokenSecurity', issue: 'is not a known field; did you mean TokenSecurity?' },
        { field: 'Nothing', issue: 'is not a known field' },
      ])
    }
    expect((await server.call('GET', path)).body.Name).toBe('Fields')
  })

  test('lists at most fifty of them', async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_none, index) => [`x${index}`, 1]))
    const answer = await send('PUT', `/projects/${project}`, many)
    expect(answer.headers.get('x-ignored-fields')?.split(', ')).toHaveLength(50)
    const refused = await send('PUT', `/projects/${project}`, many, strict)
    expect(refused.body.error.details).toHaveLength(50)
  })
})

test('a body with known fields only has no X-Ignored-Fields', async () => {
  const body = { Metadata: { Title: 'x', CustomMetadata: { anything: { goes: 1 } }, Tags: ['a'] } }
  const { status, headers } = await send('PUT', `/projects/${project}/files/${file}`, body, strict)
  expect(status).toBe(200)
  expect(headers.get('x-ignored-fields')).toBeNull()
  expect(headers.get('preference-applied')).toBe('handling=strict')
  expect((await send('PUT', `/projects/${project}`, {}, { Prefer: 'handling=lenient' })).status).toBe(200)
})

test('a record can be read and sent back whole, also under handling=strict', async () => {
  const made = async (path: string, body: object): Promise<string> =>
    `${path}/${(await send('POST', path, body)).body.Id}`
  const category = (await send('POST', '/modules/categories', { Label: 'Sport', CustomId: 'c' })).body.Id
  await send('PUT', `/projects/${project}/files/${file}`, { Metadata: { Category: [category] } })
  const files = `/projects/${project}/files/${file}`
  const rules = { Conditions: [{ Field: 'Title', Operator: 'isNotEmpty' }] }
  const records = [
    `/projects/${project}`,
    files,
    await made('/modules/playlists', { Name: 'Manual', Elements: [file] }),
    await made('/modules/playlists', { Name: 'Automatic', Type: 'automatic', Rules: rules }),
    await made('/modules/categories', { Label: 'News' }),
    await made('/modules/notifications', { TargetURL: 'https://example.com', EventTypes: ['file.new'] }),
    await made('/users', { Email: 'kim@example.com', Role: 'Reader' }),
    await made('/apikeys', { Label: 'Key' }),
    await made(`${files}/captions`, {
      Language: 'de',
      Content: 'WEBVTT\n\n00:00.000 --> 00:01.000\nHallo\n',
    }),
    `/projects/${project}/live/ingest`,
    await made(`/projects/${project}/live/targets`, { URI: 'rtmp://example.com/live/key' }),
    '/me',
  ]
  for (const path of records) {
    const { body } = await server.call('GET', path)
    const answer = await send('PUT', path, body, strict)
    expect(`${path} ${answer.status} ${JSON.stringify(answer.body.error)}`).toBe(`${path} 200 undefined`)
  }
  const { Metadata } = (await server.call('GET', files)).body
  expect((await send('PUT', `${files}/metadata`, Metadata, strict)).status).toBe(200)
})
