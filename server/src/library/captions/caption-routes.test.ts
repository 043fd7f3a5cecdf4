import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createHands } from '../../../test/support/hands.ts'
import { request, startTestServer, type Answer, type TestServer } from '../../../test/support/test-server.ts'
import { holdBlobs } from '../../ingest/encoding/test-support/hold-blobs.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'
import { removeGarbage } from '../files/media/remove-garbage.ts'
import { makePlayableFile, type PlayableFile } from '../../playback/test-support/playable-file.ts'

let server: TestServer
let file: PlayableFile
let path: string

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

beforeEach(async () => {
  file = await makePlayableFile(server)
  path = `/projects/${file.projectId}/files/${file.id}/captions`
})

const vtt = 'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n'
const srt = '1\n00:00:03,000 --> 00:00:04,000\nBonjour\n'

const post = (body: object, options: { headers?: Record<string, string>; apiKey?: string } = {}) =>
  server.call('POST', path, { body: { Language: 'en', Content: vtt, ...body }, ...options })

const postRaw = (query: string, type: string, body: string | Uint8Array): Promise<Answer> =>
  server.call('POST', `${path}${query}`, { body, headers: { 'Content-Type': type } })

const fileRecord = async () => (await server.call('GET', path.replace(/\/captions$/, ''))).body

const textAt = (uri: string): Promise<Answer> => request(uri, 'GET')

const eventNames = async (): Promise<string[]> => {
  const rows = await server.services.database.kysely
    .selectFrom('events')
    .select('name')
    .where('file_id', '=', file.id)
    .orderBy('id')
    .execute()
  return rows.map(({ name }) => name)
}

const blobsOfCaptions = async (): Promise<string[]> => {
  const { kysely } = server.services.database
  const rows = await kysely
    .selectFrom('file_captions')
    .select('caption_blob')
    .where('file_id', '=', file.id)
    .execute()
  return rows.map(({ caption_blob }) => caption_blob)
}

describe('POST /captions', () => {
  test('accepts WebVTT as JSON, answers 201 with the record and its Location, and serves the text to viewers', async () => {
    const { status, headers, body } = await post({ Label: 'English', IsDefault: true })
    expect(status).toBe(201)
    expect(body).toEqual({
      Id: expect.any(Number),
      Language: 'en',
      Label: 'English',
      Kind: 'subtitles',
      IsDefault: true,
      Origin: 'upload',
      URI: expect.stringMatching(new RegExp(`^${server.url}${file.path}/captions/[0-9a-f-]{36}\\.vtt$`)),
    })
    expect(headers.get('location')).toBe(`${server.url}/v3${path}/${body.Id}`)
    const again = await server.call('GET', `${path}/${body.Id}`)
    expect(again.body).toEqual(body)
    expect(again.headers.get('etag')).toBe(headers.get('etag'))
    const text = await textAt(body.URI)
    expect(text.body).toBe(vtt)
    expect(text.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
    expect(text.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('adds the track to the record of the file, sends file.updated and counts its bytes', async () => {
    const before = await fileRecord()
    const project = await server.call('GET', `/projects/${file.projectId}`)
    expect(before.Captions).toEqual([])
    const { body } = await post({})
    const after = await fileRecord()
    expect(after.Captions).toEqual([body])
    expect(after.LastUpdateAt > before.LastUpdateAt).toBe(true)
    expect((await eventNames()).at(-1)).toBe('file.updated')
    const later = await server.call('GET', `/projects/${file.projectId}`)
    expect(later.body.StorageBytes - project.body.StorageBytes).toBe(vtt.length)
  })

  test.each([
    ['text/vtt', vtt, 'Hello'],
    ['text/vtt; charset=utf-8', vtt, 'Hello'],
    ['application/x-subrip', srt, 'Bonjour'],
    ['text/plain', srt, 'Bonjour'],
    ['text/srt', srt, 'Bonjour'],
  ])('accepts raw text as %s', async (type, body, word) => {
    const answer = await postRaw('?language=fr&label=Fran%C3%A7ais&kind=captions&isDefault=true', type, body)
    expect(answer.status).toBe(201)
    expect(answer.body).toMatchObject({
      Language: 'fr',
      Label: 'Français',
      Kind: 'captions',
      IsDefault: true,
    })
    expect((await textAt(answer.body.URI)).body).toContain(word)
  })

  test('accepts a multipart form', async () => {
    const form = new FormData()
    form.set('file', new Blob([srt]), 'film.srt')
    form.set('Language', 'pt-br')
    form.set('Kind', 'captions')
    form.set('IsDefault', 'true')
    const { status, body } = await server.call('POST', path, { body: form })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      Language: 'pt-BR',
      Label: 'Português (Brasil)',
      Kind: 'captions',
      IsDefault: true,
    })
  })

  test.each([
    ['en', 'en', 'English'],
    ['DE', 'de', 'Deutsch'],
    ['zh-hans-cn', 'zh-Hans-CN', expect.any(String)],
    ['iw', 'he', expect.any(String)],
    ['en-u-ca-buddhist', 'en-u-ca-buddhist', 'English'],
    ['de-AT-x-Sport', 'de-AT-x-sport', expect.stringContaining('Deutsch')],
  ])('stores the language %s as %s', async (sent, language, label) => {
    const { body } = await post({ Language: sent })
    expect(body).toMatchObject({ Language: language, Label: label })
  })

  test('answers 409 with advice for the same language and kind, and accepts another kind', async () => {
    await post({})
    const answer = await post({ Language: 'EN' })
    expectProblem(answer, 'conflict')
    expect(answer.body.error.message).toMatch(/PUT/)
    expect((await post({ Kind: 'captions' })).status).toBe(201)
  })

  test('keeps one track when eight requests create the same one at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({})))
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201,
      ...Array<number>(7).fill(409),
    ])
    expect((await fileRecord()).Captions).toHaveLength(1)
  })

  test('makes a new default track replace the previous default', async () => {
    await post({ IsDefault: true })
    await post({ Language: 'de', IsDefault: true })
    expect(
      (await fileRecord()).Captions.map((one: { Language: string; IsDefault: boolean }) => [
        one.Language,
        one.IsDefault,
      ]),
    ).toEqual([
      ['de', true],
      ['en', false],
    ])
  })

  test.each([
    [{ Language: 'english language' }, /BCP 47/],
    [{ Language: 'e' }, /BCP 47/],
    [{ Language: '' }, /Language/],
    [{ Language: null }, /Language/],
    [{ Language: 'a'.repeat(200) }, /Language/],
    [{ Content: 'Hello' }, /Content line 1: a cue begins with its number/],
    [{ Content: '' }, /no cue/],
    [{ Content: 5 }, /Content/],
    [{ Kind: 'metadata' }, /Kind/],
    [{ IsDefault: 'yes' }, /IsDefault/],
    [{ Label: 'a'.repeat(101) }, /Label/],
    [{ Label: 'a\u0000' }, /NUL/],
    [{ Content: `${vtt}\n00:00:03.000 --> 00:00:01.000\nHo\n` }, /line 6: .*later than its start/],
  ])('answers 400 for %j and names the reason', async (body, reason) => {
    const answer = await post(body)
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toMatch(reason)
    expect((await fileRecord()).Captions).toEqual([])
  })

  test.each([
    ['', 'text/vtt', vtt, /language is required/],
    ['?language=', 'text/vtt', vtt, /BCP 47/],
    ['?language=en&kind=metadata', 'text/vtt', vtt, /kind/],
    ['?language=en&isDefault=maybe', 'text/vtt', vtt, /isDefault/],
    [
      '?language=en',
      'text/vtt',
      Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nSchön', 'latin1'),
      /line 4: .*UTF-8/,
    ],
    ['?language=en', 'text/vtt', '', /no cue/],
    ['?language=en', 'text/html', '<p>', /Content-Type/],
    ['?language=en', 'application/ttml+xml', '<tt/>', /Content-Type/],
    ['?language=%00', 'text/vtt', vtt, /BCP 47/],
  ])('rejects the query "%s" with a body of type %s', async (query, type, body, reason) => {
    const answer = await postRaw(query, type, body)
    expectProblem(answer, reason.source === 'Content-Type' ? 'unsupported_media_type' : 'invalid')
    expect(answer.body.error.message).toMatch(reason)
  })

  test('replaces a NUL in the label of the query by a space', async () => {
    const { status, body } = await postRaw('?language=en&label=a%00b', 'text/vtt', vtt)
    expect(status).toBe(201)
    expect(body.Label).toBe('a b')
  })

  test('answers 400 without a body', async () => {
    expectProblem(await server.call('POST', path), 'invalid')
  })

  test('answers 413 for a text above the limit, as JSON, raw text or form', async () => {
    const long = `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n${'a'.repeat(5 * 1024 * 1024)}\n`
    expectProblem(await post({ Content: long }), 'too_large')
    expectProblem(await post({ Content: long.repeat(3) }), 'too_large')
    expectProblem(await postRaw('?language=en', 'text/vtt', long), 'too_large')
    const form = new FormData()
    form.set('file', new Blob([long]), 'a.vtt')
    form.set('Language', 'en')
    expectProblem(await server.call('POST', path, { body: form }), 'too_large')
  })

  test('answers 413 for a text that exceeds the limit with its escapes', async () => {
    expectProblem(
      await post({ Content: `WEBVTT\n\n00:01.000 --> 00:02.000\n${'&'.repeat(2 * 1024 * 1024)}\n` }),
      'too_large',
    )
  })

  test('accepts a text of four megabytes as JSON', async () => {
    const cues = Array.from({ length: 40_000 }, (_none, index) => {
      const time = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23)
      return `${time(index)} --> ${time(index + 1)}\n"${'word '.repeat(12)}"`
    })
    const { status } = await post({ Content: `WEBVTT\n\n${cues.join('\n\n')}` })
    expect(status).toBe(201)
  })

  test('creates one track for repeated requests with the same Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': crypto.randomUUID() }
    const first = await post({}, { headers })
    const second = await post({}, { headers })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body).toEqual(first.body)
    expect((await textAt(first.body.URI)).body).toBe(vtt)
  })
})

describe('chapters', () => {
  const chapters = { Kind: 'chapters', Content: vtt }
  const manyCues = (count: number) =>
    `WEBVTT\n${Array.from({ length: count }, () => '\n00:01.000 --> 00:02.000\nOne\n').join('')}`

  test('coexist with subtitles of the same language, appear in the record and can be changed', async () => {
    await post({ IsDefault: true })
    const { status, body } = await post(chapters)
    expect(status).toBe(201)
    expect(body).toMatchObject({ Kind: 'chapters', IsDefault: false })
    expect((await fileRecord()).Captions).toContainEqual(body)
    const changed = await server.call('PUT', `${path}/${body.Id}`, {
      body: { ...body, Content: manyCues(500) },
    })
    expect(changed.status).toBe(200)
    expectProblem(await post(chapters), 'conflict')
  })

  test.each([
    ['SubRip', { Content: srt }],
    ['more than a menu holds', { Content: manyCues(501) }],
    ['a title without end', { Content: vtt.replace('Hello', '🎬'.repeat(201)) }],
    ['chapters that are shown by default', { IsDefault: true }],
  ])('answer 400 for %s', async (_what, body) => {
    expectProblem(await post({ ...chapters, ...body }), 'invalid')
    expect((await fileRecord()).Captions).toEqual([])
  })

  test('answer 400 for a title of a million entities with little processor time', async () => {
    const Content = vtt.replace('Hello', '&'.repeat(1_000_000))
    const before = process.threadCpuUsage()
    expectProblem(await post({ ...chapters, Content }), 'invalid')
    const { user, system } = process.threadCpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(200)
  })

  test('replace subtitles only with a new WebVTT text, and lose the default flag', async () => {
    const { body } = await post({ Content: srt, IsDefault: true })
    const put = (fields: object) => server.call('PUT', `${path}/${body.Id}`, { body: fields })
    expectProblem(await put({ Kind: 'chapters' }), 'invalid')
    expectProblem(await put({ Kind: 'chapters', Content: srt }), 'invalid')
    expect((await put(chapters)).body).toMatchObject({ Kind: 'chapters', IsDefault: false })
    expectProblem(await put({ IsDefault: true }), 'invalid')
    expectProblem(await put({ Content: srt }), 'invalid')
  })
})

describe('GET /captions', () => {
  test('lists tracks page by page', async () => {
    for (const Language of ['en', 'de', 'fr']) await post({ Language })
    const page = await server.call('GET', `${path}?limit=2&sort=asc`)
    expect(page.body).toMatchObject({
      Captions: [{ Language: 'en' }, { Language: 'de' }],
      TotalCount: 3,
      Limit: 2,
      Offset: 0,
    })
    const rest = await server.call('GET', `${path}?limit=2&cursor=${page.body.NextCursor}`)
    expect(rest.body).toMatchObject({ Captions: [{ Language: 'fr' }], NextCursor: null })
    const etag = page.headers.get('etag') ?? ''
    const same = await server.call('GET', `${path}?limit=2&sort=asc`, { headers: { 'If-None-Match': etag } })
    expect(same.status).toBe(304)
  })

  test('answers 404 for an unknown track and for a track of another file', async () => {
    const { body } = await post({})
    const other = await makePlayableFile(server)
    const foreign = `/projects/${other.projectId}/files/${other.id}/captions/${body.Id}`
    expectProblem(await server.call('GET', foreign), 'not_found')
    expectProblem(await server.call('GET', `${path}/999999`), 'not_found')
    expectProblem(await server.call('GET', `${path}/01`), 'invalid')
  })
})

describe('PUT /captions/:captionId', () => {
  test('changes the fields sent and keeps the others', async () => {
    const { body } = await post({ Label: 'Mine' })
    const put = await server.call('PUT', `${path}/${body.Id}`, { body: { IsDefault: true } })
    expect(put.body).toEqual({ ...body, IsDefault: true })
    expect((await fileRecord()).Captions).toEqual([put.body])
  })

  test('changes a track whose language has private subtags', async () => {
    const { body } = await post({ Language: 'de-x-sport', Label: 'Mine' })
    const put = await server.call('PUT', `${path}/${body.Id}`, { body: { Label: null } })
    expect(put.body).toEqual({ ...body, Label: 'Deutsch' })
  })

  test('accepts an unchanged record', async () => {
    const { body } = await post({})
    const put = await server.call('PUT', `${path}/${body.Id}`, { body })
    expect(put.status).toBe(200)
    expect(put.body).toEqual(body)
  })

  test('restores defaults for null, and renames a default label with its language', async () => {
    const { body } = await post({ Label: 'Mine', Kind: 'captions', IsDefault: true })
    const put = (change: object) => server.call('PUT', `${path}/${body.Id}`, { body: change })
    expect((await put({ Label: null, Kind: null, IsDefault: null })).body).toMatchObject({
      Label: 'English',
      Kind: 'subtitles',
      IsDefault: false,
    })
    expect((await put({ Language: 'de' })).body).toMatchObject({ Language: 'de', Label: 'Deutsch' })
    expectProblem(await put({ Language: null }), 'invalid')
  })

  test('gives a new text a new URL, removes the old URL, and lets housekeeping delete the old blob', async () => {
    const { body } = await post({})
    const [oldBlob = ''] = await blobsOfCaptions()
    const put = await server.call('PUT', `${path}/${body.Id}`, { body: { Content: srt } })
    expect(put.status).toBe(200)
    expect(put.body.URI).not.toBe(body.URI)
    expect((await textAt(put.body.URI)).body).toContain('Bonjour')
    expectProblem(await textAt(body.URI), 'not_found')
    await removeDiscardedNow()
    expect(await server.services.blobs.stat(oldBlob)).toBeNull()
    expect((await textAt(put.body.URI)).status).toBe(200)
  })

  test('answers 409 for a language in use and 400 for an invalid text, and changes nothing', async () => {
    await post({ Language: 'de' })
    const { body } = await post({})
    expectProblem(await server.call('PUT', `${path}/${body.Id}`, { body: { Language: 'de' } }), 'conflict')
    expectProblem(await server.call('PUT', `${path}/${body.Id}`, { body: { Content: 'x' } }), 'invalid')
    expect((await server.call('GET', `${path}/${body.Id}`)).body).toEqual(body)
  })

  test('answers 412 for a stale If-Match', async () => {
    const { body, headers } = await post({})
    const stale = { 'If-Match': headers.get('etag') ?? '' }
    expect(
      (await server.call('PUT', `${path}/${body.Id}`, { body: { Label: 'A' }, headers: stale })).status,
    ).toBe(200)
    expectProblem(
      await server.call('PUT', `${path}/${body.Id}`, { body: { Label: 'B' }, headers: stale }),
      'stale',
    )
    expectProblem(await server.call('DELETE', `${path}/${body.Id}`, { headers: stale }), 'stale')
  })
})

describe('DELETE /captions/:captionId', () => {
  test('answers 200 and removes the record, the text and its bytes', async () => {
    const project = await server.call('GET', `/projects/${file.projectId}`)
    const { body } = await post({})
    const [blob = ''] = await blobsOfCaptions()
    const answer = await server.call('DELETE', `${path}/${body.Id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ Id: body.Id, IsEnabled: false, DeletedAt: expect.any(String) })
    expect((await fileRecord()).Captions).toEqual([])
    expectProblem(await textAt(body.URI), 'not_found')
    expectProblem(await server.call('DELETE', `${path}/${body.Id}`), 'not_found')
    await removeDiscardedNow()
    expect(await server.services.blobs.stat(blob)).toBeNull()
    const later = await server.call('GET', `/projects/${file.projectId}`)
    expect(later.body.StorageBytes).toBe(project.body.StorageBytes)
  })
})

/** Runs housekeeping as if the grace period were over. */
const removeDiscardedNow = async (): Promise<void> => {
  const { database, blobs } = server.services
  await database.kysely
    .updateTable('discarded_media')
    .set({ remove_after: new Date(0) })
    .execute()
  await removeGarbage({ database, blobs })
}

test('housekeeping deletes a text whose row was never written', async () => {
  const answers = await Promise.all([post({}), post({})])
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([201, 409])
  const kept = await blobsOfCaptions()
  const listed = await server.services.database.kysely
    .selectFrom('discarded_media')
    .select('blobs')
    .where('file_id', '=', file.id)
    .execute()
  const [lost = ''] = listed.flatMap(({ blobs }) => blobs)
  expect(await server.services.blobs.stat(lost)).not.toBeNull()
  await removeDiscardedNow()
  expect(await server.services.blobs.stat(lost)).toBeNull()
  expect(await server.services.blobs.stat(kept[0] ?? '')).not.toBeNull()
})

describe('permissions', () => {
  test('let an uploader add captions to its own files only, and never let a reader', async () => {
    const uploader = await server.newKey({ role: 'Uploader' })
    const own = await server.call('POST', `/projects/${file.projectId}/files`, {
      body: { FileName: 'own.mp4' },
      apiKey: uploader,
    })
    const ownPath = `/projects/${file.projectId}/files/${own.body.Id}/captions`
    const body = { Language: 'en', Content: vtt }
    const created = await server.call('POST', ownPath, { body, apiKey: uploader })
    expect(created.status).toBe(201)
    expectProblem(await post({}, { apiKey: uploader }), 'forbidden')
    const { body: foreign } = await post({})
    for (const [method, sent] of [
      ['PUT', { Label: 'x' }],
      ['DELETE', undefined],
    ] as const)
      expectProblem(
        await server.call(method, `${path}/${foreign.Id}`, {
          apiKey: uploader,
          ...(sent === undefined ? {} : { body: sent }),
        }),
        'forbidden',
      )
    const reader = await server.newKey({ role: 'Reader' })
    expectProblem(await server.call('POST', ownPath, { body, apiKey: reader }), 'forbidden')
    expect((await server.call('GET', ownPath, { apiKey: reader })).body.TotalCount).toBe(1)
  })
})

test('captions of a deleted file answer 404', async () => {
  const { body } = await post({})
  await server.call('DELETE', path.replace(/\/captions$/, ''))
  expectProblem(await server.call('GET', path), 'not_found')
  expectProblem(await post({ Language: 'de' }), 'not_found')
  expectProblem(await textAt(body.URI), 'not_found')
})

test('captions that are stored while their file is purged leave nothing behind', async () => {
  const hands = createHands(server)
  const ids = await hands.upload(await hands.newProject(), await hands.smallSample())
  const { blobs: store } = server.services
  const { put } = store
  const held = holdBlobs({ ...store }, /captions/)
  Object.assign(store, { put: held.blobs.put })
  const purged = `/projects/${ids.projectId}/files/${ids.fileId}`
  const sent = server.call('POST', `${purged}/captions`, {
    body: { Language: 'en', Content: vtt },
  })
  await held.reached
  await server.call('DELETE', purged)
  await hands.purge(ids)
  held.release()
  const { status } = await sent.finally(() => Object.assign(store, { put }))
  expect(status).toBe(404)
  expect(await store.list(`a1/p${ids.projectId}/f${ids.fileId}/`)).toEqual([])
})
