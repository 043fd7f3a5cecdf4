import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'
import { expectProblem } from '../../platform/http/test-support/expect-problem.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})

afterAll(() => server.stop())

interface IabRecord {
  readonly Id: number
  readonly Label: string
  readonly IABId: string
  readonly ParentId: number | null
}

const list = (query: string, method = 'GET') => server.call(method, `/modules/iabcategories?${query}`)

const listAll = async (): Promise<IabRecord[]> => (await list('limit=500&sort=asc')).body.IABCategories

test('the taxonomy has 26 categories of tier 1 and 366 of tier 2, each with a unique id and IAB id', async () => {
  const { body } = await list('limit=500')
  expect(body).toMatchObject({ TotalCount: 392, NextCursor: null })
  const all = await listAll()
  expect(all.filter(({ ParentId }) => ParentId === null)).toHaveLength(26)
  expect(all).toHaveLength(392)
  expect(new Set(all.map(({ Id }) => Id)).size).toBe(392)
  expect(new Set(all.map(({ IABId }) => IABId)).size).toBe(392)
  expect(all.every(({ Label }) => Label !== '' && !/[|\n]|^\s|\s$| {2}/.test(Label))).toBe(true)
})

/** The last category of each tier: a missing or extra label before it would shift its number. */
test.each([
  [100, 'IAB1', 'Arts & Entertainment', null],
  [107, 'IAB1-7', 'Television', 100],
  [223, 'IAB2-23', 'Wagon', 200],
  [312, 'IAB3-12', 'Metals', 300],
  [411, 'IAB4-11', 'Career Advice', 400],
  [501, 'IAB5-1', '7-12 Education', 500],
  [515, 'IAB5-15', 'Studying Business', 500],
  [609, 'IAB6-9', 'Eldercare', 600],
  [745, 'IAB7-45', "Women's Health", 700],
  [818, 'IAB8-18', 'Wine', 800],
  [931, 'IAB9-31', 'Woodworking', 900],
  [1009, 'IAB10-9', 'Remodeling & Construction', 1000],
  [1100, 'IAB11', "Law, Gov't & Politics", null],
  [1105, 'IAB11-5', 'Commentary', 1100],
  [1203, 'IAB12-3', 'Local News', 1200],
  [1312, 'IAB13-12', 'Tax Planning', 1300],
  [1408, 'IAB14-8', 'Ethnic Specific', 1400],
  [1510, 'IAB15-10', 'Weather', 1500],
  [1607, 'IAB16-7', 'Veterinary Medicine', 1600],
  [1744, 'IAB17-44', 'World Soccer', 1700],
  [1806, 'IAB18-6', 'Accessories', 1800],
  [1936, 'IAB19-36', 'Windows', 1900],
  [2027, 'IAB20-27', 'United Kingdom', 2000],
  [2103, 'IAB21-3', 'Buying/Selling Homes', 2100],
  [2204, 'IAB22-4', 'Engines', 2200],
  [2310, 'IAB23-10', 'Pagan/Wiccan', 2300],
  [2400, 'IAB24', 'Uncategorized', null],
  [2507, 'IAB25-7', 'Incentivized', 2500],
  [2604, 'IAB26-4', 'Copyright Infringement', 2600],
])('the category with id %i is %s, %s', async (Id, IABId, Label, ParentId) => {
  expect((await listAll()).find((one) => one.Id === Id)).toEqual({ Id, IABId, Label, ParentId })
})

test.each([
  ['search=soccer', ['World Soccer']],
  ['search=IAB17-44', ['World Soccer']],
  ['search=BUYING%20homes', ['Buying/Selling Homes']],
  ['search=nothing', []],
])('%s finds categories that contain all words', async (query, labels) => {
  const { body } = await list(query)
  expect(body.IABCategories.map(({ Label }: IabRecord) => Label)).toEqual(labels)
  expect(body.TotalCount).toBe(labels.length)
})

test.each(['orderBy=created&sort=asc', 'orderBy=created', 'orderBy=name&sort=asc', 'orderBy=name'])(
  '%s pages through the whole taxonomy without skips or repeats',
  async (query) => {
    const whole: IabRecord[] = (await list(`${query}&limit=500`)).body.IABCategories
    const paged: IabRecord[] = []
    let next: string | null = ''
    while (next !== null) {
      const { body } = await list(next === '' ? `${query}&limit=60` : `cursor=${next}&limit=60`)
      paged.push(...body.IABCategories)
      next = body.NextCursor
    }
    expect(paged).toEqual(whole)
    expect((await list(`${query}&limit=10&offset=385`)).body.IABCategories).toEqual(whole.slice(385))
    expect((await list(`${query}&offset=400`)).body).toMatchObject({ IABCategories: [], NextCursor: null })
  },
)

test('an unchanged list answers 304, and the list is read-only', async () => {
  const etag = (await list('')).headers.get('etag') ?? ''
  const again = await server.call('GET', '/modules/iabcategories', { headers: { 'If-None-Match': etag } })
  expect(again.status).toBe(304)
  expectProblem(await list('', 'POST'), 'method_not_allowed')
})

test.each(['search=%00', 'orderBy=updated', 'limit=0', 'cursor=x'])('%s answers 400', async (query) => {
  expectProblem(await list(query), 'invalid')
})
