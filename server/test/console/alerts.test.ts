import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluateAlerts } from '../../src/analytics/alerts/evaluate-alerts.ts'
import { addUpReports } from '../../src/analytics/store/add-up-reports.ts'
import { createScriptedViewers } from '../../src/analytics/test-support/scripted-viewers.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectReachable, startConsole, type Console } from './console.ts'
import { cutTexts, movedElements } from './looks.ts'

let server: TestServer
let zoetropeConsole: Console
let projectId: number

const project = 'Newsroom'

beforeAll(async () => {
  server = await startTestServer()
  const viewers = createScriptedViewers(server)
  const file = await viewers.newFile({
    project: { Name: project },
    metadata: { Title: 'Opening night', ReleaseStatus: 'published' },
  })
  projectId = file.projectId
  await viewers.watch(file)
  await waitFor(
    async () => {
      await addUpReports(server.services.database, { held: 0 })
      return server.call('GET', `/analytics/views?fileId=${file.id}`)
    },
    ({ body }) => body.Total === 1,
  )
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

/** Evaluates as the worker does after the present minute. */
const evaluate = (minutes: number): Promise<void> =>
  evaluateAlerts(server.workerDatabase, { nowMs: Date.now() + (minutes + 1) * 60_000 + 10_000 })

test('an alert is added, fires on the home screen, is changed and deleted', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit(
    `/analytics?project=${projectId}&tab=alerts`,
  )
  await page.getByText('No alerts').waitFor()
  await page.getByRole('button', { name: 'Add alert' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Buffering')
  await dialog.getByLabel('Threshold').fill('1')
  await dialog.getByLabel('Minimum viewers').fill('0')
  await expectSound()
  await dialog.getByRole('button', { name: 'Create alert' }).click()
  const row = page.getByRole('row', { name: /^Buffering/ })
  await row.getByText('Rebuffering above 1%, for 5 minutes').waitFor()
  await row.getByText(project).waitFor()
  await row.getByText('OK', { exact: true }).waitFor()
  const { body } = await server.call('GET', '/analytics/alerts')
  expect(body.Alerts).toMatchObject([
    { Threshold: 0.01, ProjectId: projectId, FileId: null, MinimumViewers: 0, WindowMinutes: 5 },
  ])
  await evaluate(0)
  // The event stream shows it without a reload.
  await row.getByText('Firing').waitFor()
  await expectSound()
  await page.goto(`${server.url}/console/`)
  await page.getByRole('button', { name: 'Hide', exact: true }).click()
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText(`${project} · Rebuffering above 1%, for 5 minutes`).waitFor()
  await expectSound()
  await attention.getByRole('link', { name: 'Buffering' }).click()
  await page.getByRole('button', { name: 'Edit Buffering' }).click()
  expect(await dialog.getByLabel('Threshold').inputValue()).toBe('1 %')
  await dialog.getByLabel('Threshold').fill('2.5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Rebuffering above 2.5%, for 5 minutes').waitFor()
  await evaluate(1)
  await row.getByText('OK', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete Buffering' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No alerts').waitFor()
  expect((await server.call('GET', '/analytics/alerts')).body.TotalCount).toBe(0)
  await close()
})

test('a reader sees alerts without buttons, on a phone in German', async () => {
  const { body } = await server.call('POST', '/analytics/alerts', {
    body: {
      Label: 'Ruckeln',
      ProjectId: projectId,
      Metric: 'startuptime',
      Operator: 'above',
      Threshold: 1_500,
    },
  })
  const { page, expectSound, close } = await zoetropeConsole.visit('/analytics?tab=alerts', {
    ...{ role: 'Reader', width: 390, height: 844, language: 'de' },
  })
  await page.getByText('Startdauer über 1,5 Sek., 5 Minuten lang').waitFor()
  expect(await page.getByRole('button', { name: /Ruckeln/ }).count()).toBe(0)
  expect(await movedElements(page)).toEqual([])
  expect(await cutTexts(page, { hasMouse: false })).toEqual([])
  await expectReachable(page)
  await expectSound()
  await close()
  await server.call('DELETE', `/analytics/alerts/${body.Id}`)
})

test('the library shows views and watch time of the page with one request for each column', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit(`/projects/${projectId}/files`, {
    ...{ width: 1600, height: 900 },
  })
  const asked: string[] = []
  page.on('request', (sent) => {
    if (sent.url().includes('/v3/analytics/')) asked.push(new URL(sent.url()).pathname)
  })
  await page.getByRole('link', { name: 'Opening night' }).first().waitFor()
  expect(asked).toEqual([])
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['Views (30 days)', 'Watch time (30 days)'])
    await page.getByRole('menuitemcheckbox', { name }).click()
  await page.keyboard.press('Escape')
  const row = page.getByRole('row', { name: /Opening night/ })
  await row.getByRole('cell', { name: '30 sec' }).waitFor()
  await row.getByRole('cell', { name: '1', exact: true }).waitFor()
  expect(asked.toSorted()).toEqual(['/v3/analytics/views', '/v3/analytics/watchtime'])
  await expectSound()
  await close()
})

test('the live screen shows the rebuffering of the last minutes', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit(`/projects/${projectId}/live`)
  await page.getByText('Players of the project, last 5 minutes').waitFor()
  await page.getByText('1.64%').waitFor()
  await expectSound()
  await close()
})
