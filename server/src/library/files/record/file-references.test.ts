import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Answer, type TestServer } from '../../../../test/support/test-server.ts'
import { expectProblem } from '../../../platform/http/test-support/expect-problem.ts'

let server: TestServer
let projectId: number

beforeAll(async () => {
  server = await startTestServer()
  projectId = (await server.call('POST', '/projects', { body: { Name: 'Project' } })).body.Id
})

afterAll(() => server.stop())

const kinds = [
  { field: 'Category', path: '/modules/categories' },
  { field: 'Videotype', path: '/modules/videotypes' },
  { field: 'Share', path: '/modules/shares' },
] as const

const createEntry = async (path: string, body: object = {}, apiKey?: string) =>
  (
    await server.call('POST', path, {
      body: { Label: crypto.randomUUID(), ...body },
      ...(apiKey === undefined ? {} : { apiKey }),
    })
  ).body

const createFile = (Metadata: object): Promise<Answer> =>
  server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a.mp4', Metadata } })

const putMetadata = (fileId: number, body: object): Promise<Answer> =>
  server.call('PUT', `/projects/${projectId}/files/${fileId}/metadata`, { body })

const elementOf = (field: string, entry: { Id: number; Label: string; CustomId: string }) =>
  field === 'Category'
    ? { Id: entry.Id, Label: entry.Label, CustomId: entry.CustomId }
    : { Id: entry.Id, Label: entry.Label }

describe.each(kinds)('$field', ({ field, path }) => {
  test('accepts ids, objects with an Id and objects with a CustomId, keeps their order and drops repeats', async () => {
    const one = await createEntry(path)
    const two = await createEntry(path, { CustomId: crypto.randomUUID() })
    const three = await createEntry(path)
    const { status, body } = await createFile({
      [field]: [
        three.Id,
        { CustomId: two.CustomId },
        { Id: one.Id, Label: 'wrong' },
        { Id: two.Id },
        three.Id,
      ],
    })
    expect(status).toBe(201)
    expect(body.Metadata[field]).toEqual([three, two, one].map((entry) => elementOf(field, entry)))
    const read = await server.call('GET', `/projects/${projectId}/files/${body.Id}`)
    expect(read.body.Metadata[field]).toEqual(body.Metadata[field])
  })

  test('is replaced by PUT, kept when absent, and cleared by null or an empty list', async () => {
    const one = await createEntry(path)
    const two = await createEntry(path)
    const { body: file } = await createFile({ [field]: [one.Id] })
    expect((await putMetadata(file.Id, { Title: 'New' })).body.Metadata[field]).toEqual([
      elementOf(field, one),
    ])
    const whole = await server.call('PUT', `/projects/${projectId}/files/${file.Id}`, {
      body: { Metadata: { [field]: [two.Id] } },
    })
    expect(whole.body.Metadata[field]).toEqual([elementOf(field, two)])
    for (const cleared of [null, []]) {
      await putMetadata(file.Id, { [field]: [one.Id] })
      expect((await putMetadata(file.Id, { [field]: cleared })).body.Metadata[field]).toEqual([])
    }
  })

  test('accepts an unchanged record', async () => {
    const one = await createEntry(path)
    const { body: file } = await createFile({ [field]: [one.Id] })
    const answer = await server.call('PUT', `/projects/${projectId}/files/${file.Id}`, { body: file })
    expect(answer.status).toBe(200)
    expect(answer.body.Metadata).toEqual(file.Metadata)
  })

  test('answers 400 with field and id for unknown references, and changes nothing', async () => {
    const known = await createEntry(path)
    const other = kinds.find((kind) => kind.field !== field)
    const ofAnotherKind = await createEntry(other?.path ?? '')
    const stranger = await server.newKey({ inNewAccount: true })
    const foreign = await createEntry(path, { CustomId: crypto.randomUUID() }, stranger)
    const deleted = await createEntry(path)
    await server.call('DELETE', `${path}/${deleted.Id}`)
    const { body: file } = await createFile({ [field]: [known.Id] })
    for (const [reference, name] of [
      [999_999_999, '999999999'],
      [{ Id: Number.MAX_SAFE_INTEGER }, '9007199254740991'],
      [ofAnotherKind.Id, String(ofAnotherKind.Id)],
      [foreign.Id, String(foreign.Id)],
      [{ CustomId: foreign.CustomId }, foreign.CustomId],
      [deleted.Id, String(deleted.Id)],
      [{ CustomId: '__proto__' }, '__proto__'],
    ]) {
      const key = typeof reference === 'object' ? `.${Object.keys(reference)[0]}` : ''
      for (const [answer, place] of [
        [await createFile({ [field]: [known.Id, reference] }), `Metadata.${field}[1]${key}`],
        [await putMetadata(file.Id, { Title: 'Lost', [field]: [reference] }), `${field}[0]${key}`],
      ] as const) {
        expectProblem(answer, 'invalid')
        expect(answer.body.error.message).toContain(`${place} names the unknown `)
        expect(answer.body.error.message).toContain(name)
        expect(answer.body.error.details[0].field).toBe(place)
      }
    }
    expect((await server.call('GET', `/projects/${projectId}/files/${file.Id}`)).body.Metadata).toEqual(
      file.Metadata,
    )
  })

  test.each<[string, unknown]>([
    ['a name', ['News']],
    ['an object without an id', [{ Label: 'News' }]],
    ['an id of 0', [0]],
    ['a negative id', [-1]],
    ['an id of 1.5', [1.5]],
    ['an id of 2^53', [2 ** 53]],
    ['an id of 1e300', [1e300]],
    ['an id as text', [{ Id: '5' }]],
    ['an empty custom id', [{ CustomId: '' }]],
    ['an id that is not a list', 5],
    ['101 ids', Array.from({ length: 101 }, () => 1)],
    ['a list of lists', [[1]]],
  ])('rejects %s with 400', async (_what, value) => {
    expectProblem(await createFile({ [field]: value }), 'invalid')
  })
})

describe('IABCategory', () => {
  test('accepts ids, objects with an Id and objects with an IABId', async () => {
    const { status, body } = await createFile({
      IABCategory: [1744, { IABId: 'IAB1-6' }, { Id: 100 }, { IABId: 'IAB17-44' }],
    })
    expect(status).toBe(201)
    expect(body.Metadata.IABCategory).toEqual([
      { Id: 1744, Label: 'World Soccer', IABId: 'IAB17-44' },
      { Id: 106, Label: 'Music', IABId: 'IAB1-6' },
      { Id: 100, Label: 'Arts & Entertainment', IABId: 'IAB1' },
    ])
    expect((await putMetadata(body.Id, { IABCategory: null })).body.Metadata.IABCategory).toEqual([])
  })

  test.each<[string, unknown]>([
    ['an unknown id', 99],
    ['an unknown IABId', { IABId: 'IAB99' }],
    ['an IABId in lower case', { IABId: 'iab1' }],
    ['an empty IABId', { IABId: '' }],
    ['a CustomId', { CustomId: 'IAB1' }],
  ])('rejects %s with 400', async (_what, reference) => {
    const answer = await createFile({ IABCategory: [reference] })
    expectProblem(answer, 'invalid')
    expect(answer.body.error.message).toContain('Metadata.IABCategory')
  })
})

test('accepts references in a form, and answers 400 without creating a file for an unknown one', async () => {
  const category = await createEntry('/modules/categories')
  const upload = async (Metadata: object) => {
    const form = new FormData()
    form.set('Metadata', JSON.stringify(Metadata))
    form.set('file', new Blob(['bytes']), 'a.mp4')
    return server.call('POST', `/projects/${projectId}/files`, { body: form })
  }
  const { status, body } = await upload({ Category: [category.Id] })
  expect(status).toBe(201)
  expect(body.Metadata.Category).toEqual([elementOf('Category', category)])
  const before = (await server.call('GET', `/projects/${projectId}`)).body.FileCount
  expectProblem(await upload({ Category: [999_999_999] }), 'invalid')
  expect((await server.call('GET', `/projects/${projectId}`)).body.FileCount).toBe(before)
})

test('never answers 500 for files written while their category is deleted, nor assigns its id afterwards', async () => {
  const category = await createEntry('/modules/categories')
  const answers = await Promise.all([
    ...Array.from({ length: 10 }, () => createFile({ Category: [category.Id] })),
    server.call('DELETE', `/modules/categories/${category.Id}`),
    ...Array.from({ length: 10 }, () => createFile({ Category: [category.Id] })),
  ])
  for (const { status } of answers) expect([200, 201, 400]).toContain(status)
  expectProblem(await createFile({ Category: [category.Id] }), 'invalid')
})
