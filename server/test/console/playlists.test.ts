import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Condition } from '../../../console/src/playlists/playlist-queries.ts'
import { moved, placesOf } from '../../../console/src/playlists/playlist-order.ts'
import {
  choicesOf,
  isComplete,
  operatorsOf,
  ruleFields,
} from '../../../console/src/playlists/rules/rule-fields.ts'
import * as served from '../../src/library/playlists/rules/rule-fields.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console
const ids: number[] = []

beforeAll(async () => {
  server = await startTestServer()
  zoetropeConsole = await startConsole(server)
  // One video in each of two projects.
  for (const Title of ['Opening night', 'Closing speech']) {
    const project = await server.call('POST', '/projects', { body: { Name: `Project of ${Title}` } })
    const file = await server.call('POST', `/projects/${project.body.Id}/files`, {
      body: { FileName: 'a.mp4', Metadata: { Title, Tags: ['spring'] } },
    })
    ids.push(file.body.Id)
  }
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

const read = async (playlistId: string) => (await server.call('GET', `/modules/playlists/${playlistId}`)).body
const orderOf = ({ Elements }: { Elements: { FileId: number }[] }) => Elements.map(({ FileId }) => FileId)
const idIn = (url: string): string => /\/playlists\/(\d+)/.exec(url)?.[1] ?? ''

test('videos of two projects are found, added, reordered by keyboard and buttons, and removed', async () => {
  const [opening = 0, closing = 0] = ids
  const { page, expectSound, close } = await zoetropeConsole.visit('/playlists', { role: 'JuniorEditor' })
  await page.getByRole('button', { name: 'Create playlist' }).first().click()
  await page.getByLabel('Name').fill('Festival')
  await page.getByRole('dialog').getByRole('button', { name: 'Create playlist' }).click()
  await page.getByRole('heading', { name: 'Festival', level: 1 }).waitFor()
  const playlistId = idIn(page.url())
  for (const title of ['Opening night', 'Closing speech']) {
    await page.getByLabel('Search videos').fill(title.toLowerCase())
    await page.getByRole('button', { name: `Add ${title}` }).click()
    await page.getByText(`Added: ${title}`).waitFor()
  }
  expect(orderOf(await read(playlistId))).toEqual([opening, closing])

  await page.getByRole('button', { name: 'Move Opening night', exact: true }).focus()
  await page.keyboard.press('Space')
  await page.getByText('Opening night picked up, position 1 of 2.').waitFor({ state: 'attached' })
  await page.keyboard.press('ArrowDown')
  await page.getByText('Opening night moved to position 2 of 2.').waitFor({ state: 'attached' })
  await page.keyboard.press('Space')
  await waitFor(
    () => read(playlistId),
    (playlist) => orderOf(playlist)[0] === closing,
  )
  expect(orderOf(await read(playlistId))).toEqual([closing, opening])
  await expectSound()

  await page.getByRole('button', { name: 'Move Opening night up' }).click()
  await waitFor(
    () => read(playlistId),
    (playlist) => orderOf(playlist)[0] === opening,
  )
  await page.getByRole('button', { name: 'Remove Closing speech' }).focus()
  await page.keyboard.press('Enter')
  await page.locator(':focus[aria-label="Remove Opening night"]').waitFor()
  await waitFor(
    () => read(playlistId),
    (playlist) => playlist.ElementCount === 1,
  )
  await page.getByRole('button', { name: 'Undo' }).click()
  await waitFor(
    () => read(playlistId),
    (playlist) => playlist.ElementCount === 2,
  )
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Playlists', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.getByRole('heading', { name: 'Festival', level: 1 }).waitFor()
  expect((await read(playlistId)).IsEnabled).toBe(true)
  await close()
})

test('a video that another user has kept from being removed is not reported as removed', async () => {
  const made = await server.call('POST', '/modules/playlists', { body: { Name: 'Shared', Elements: ids } })
  const playlistId = String(made.body.Id)
  const { page, forgive, close } = await zoetropeConsole.visit(`/playlists/${playlistId}`)
  forgive(/412/)
  await page.route('**/modules/playlists/*', async (route) => {
    if (route.request().method() === 'PUT')
      await server.call('PUT', `/modules/playlists/${playlistId}`, { body: { Elements: ids.toReversed() } })
    await route.continue()
  })
  await page.getByRole('button', { name: 'Remove Closing speech' }).click()
  await page.getByText('This has changed meanwhile.').waitFor()
  expect((await read(playlistId)).ElementCount).toBe(2)
  expect(await page.getByText('“Closing speech” removed.').count()).toBe(0)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Remove Closing speech' }).click()
  await page.getByText('“Closing speech” removed.').waitFor()
  await close()
})

test('the release status of a playlist is shown whole in German', async () => {
  await server.call('POST', '/modules/playlists', { body: { Name: 'Entwurf' } })
  const { page, close } = await zoetropeConsole.visit('/playlists', { language: 'de', width: 1_024 })
  const status = page.getByRole('row', { name: /Entwurf/ }).locator('.status')
  expect(await status.evaluate((badge) => badge.scrollWidth - badge.clientWidth)).toBe(0)
  await close()
})

test('rules preview their matches before they are saved', async () => {
  const made = await server.call('POST', '/modules/playlists', {
    body: { Name: 'Newest', Type: 'automatic', Rules: { Limit: 10 } },
  })
  const playlistId = String(made.body.Id)
  const { page, expectSound, close } = await zoetropeConsole.visit(`/playlists/${playlistId}`)
  await page.getByText('2 videos, 0:00').waitFor()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Value', { exact: true }).fill('opening')
  await page.getByText('1 video, 0:00').waitFor()
  expect((await read(playlistId)).ElementCount).toBe(2)
  await expectSound()
  await page.getByRole('button', { name: 'Save rules' }).click()
  await waitFor(
    () => read(playlistId),
    (playlist) => playlist.ElementCount === 1,
  )
  expect((await read(playlistId)).Rules.Conditions).toEqual([
    { Field: 'Title', Operator: 'contains', Value: 'opening' },
  ])
  await close()
})

test('the rules editor has the same fields and operators as the server', () => {
  expect(Object.keys(ruleFields).toSorted()).toEqual(served.fieldNames.toSorted())
  for (const [name, kind] of Object.entries(ruleFields)) {
    const field = served.fieldOf(name)
    expect([name, field?.kind]).toEqual([name, kind])
    if (name === 'Status' || name === 'ReleaseStatus') expect(choicesOf[name]).toEqual(field?.choices)
  }
  expect(operatorsOf).toEqual(served.operatorsOf)
})

test.each<[Condition, boolean]>([
  [{ Field: 'Title', Operator: 'contains', Value: '' }, false],
  [{ Field: 'Title', Operator: 'isEmpty' }, true],
  [{ Field: 'Length', Operator: 'greaterThan', Value: 0 }, true],
  [{ Field: 'Tags', Operator: 'in', Value: [] }, false],
  [{ Field: 'CustomMetadata.', Operator: 'equals', Value: 1 }, false],
  [{ Field: 'CustomMetadata.live', Operator: 'equals', Value: false }, true],
])('completeness of the condition %j: %s', (condition, expected) => {
  expect(isComplete(condition)).toBe(expected)
})

test('an element moves to its new position, and an element listed twice has two keys', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
  expect(moved(['a', 'b', 'c'], 2, -5)).toEqual(['c', 'a', 'b'])
  expect(moved(['a'], 7, 0)).toEqual(['a'])
  const element = {
    Position: 1,
    FileId: 7,
    ProjectId: 1,
    Title: '',
    Length: null,
    ThumbURI: null,
    ReleaseStatus: 'draft',
    IsPlayable: false,
  } as const
  expect(placesOf([element, element]).map(({ id }) => id)).toEqual(['7-1', '7-2'])
})
