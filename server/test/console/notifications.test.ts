import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '../../src/notifications/webhooks/test-support/receiver.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console
let receiver: Receiver
let status = 500

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  receiver = await startReceiver((_request, response) => response.writeHead(status).end('what it says'))
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await receiver.close()
  await server.stop()
})

const path = '/modules/notifications'

test('a webhook is created, shows its secret once, is tested, and failed deliveries are resent', async () => {
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/notifications')
  await page.getByText('No webhooks yet').waitFor()
  await page.getByRole('button', { name: 'Create webhook' }).first().click()
  await page.getByLabel('Label').fill('Newsroom')
  await page.getByLabel('Target URL').fill('gopher://example.com')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  forgive(/400/)
  await page.getByText('must begin with https://').last().waitFor()
  await page.getByLabel('Target URL').fill(receiver.url)
  await page.getByRole('button', { name: /^Playlists/ }).click()
  await page.getByRole('checkbox', { name: 'playlist.new' }).check()
  await page.getByRole('button', { name: 'Add header' }).click()
  await page.getByLabel('Name of header 1').fill('X-Tenant')
  await page.getByLabel('Value of header 1').fill('news')
  await expectSound()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.locator('[role=dialog] button:focus', { hasText: 'Open webhook' }).waitFor()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  expect(secret).toMatch(/^whsec_/)
  await page.getByRole('button', { name: 'Open webhook' }).click()
  await page.getByRole('heading', { name: 'Newsroom', level: 1 }).waitFor()
  const webhookId = Number(/notifications\/(\d+)/.exec(page.url())?.[1])
  expect((await server.call('GET', `${path}/${webhookId}`)).body).toMatchObject({
    Label: 'Newsroom',
    EventTypes: ['file.*', 'playlist.new'],
    CustomHeaders: { 'X-Tenant': '…' },
    SecretLastFour: secret.slice(-4),
  })

  await page.getByRole('button', { name: 'Send test' }).click()
  const delivery = page.getByRole('dialog')
  await delivery.getByText('Waiting to retry', { exact: true }).waitFor()
  await delivery.getByText('what it says').waitFor()
  await delivery.getByText('"Event": "webhook.ping"').waitFor()
  await expectSound()
  status = 200
  const deliveryId = new URL(page.url()).searchParams.get('delivery')
  await server.call('POST', `${path}/${webhookId}/deliveries/${deliveryId}/redeliver`)
  await delivery.getByText('Delivered').waitFor()
  await delivery.getByRole('button', { name: 'Redeliver' }).press('Enter')
  await delivery.getByRole('cell', { name: '3', exact: true }).waitFor()
  await delivery.locator('button:focus', { hasText: 'Redeliver' }).waitFor()
  await page.keyboard.press('Escape')
  const figures = page.locator('dl[aria-label="Last 48 hours"]')
  await figures.getByText('1 of 1 succeeded').waitFor()
  await figures.getByText('2 of 3 succeeded').waitFor()
  await figures.getByText('66.6%').waitFor()

  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByText('Failed', { exact: true }).click()
  await page.getByText('No matching deliveries').waitFor()
  await page.getByRole('tab', { name: 'Verification' }).click()
  await page.getByText('import hmac').or(page.getByText('createHmac')).first().waitFor()
  await page.getByRole('tab', { name: 'Deliveries' }).click()
  expect(new URL(page.url()).searchParams.get('status')).toBe('failed')
  await page.getByText('No matching deliveries').waitFor()
  await filters.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('checkbox', { name: /Select delivery/ }).check()
  await page.getByRole('button', { name: 'Redeliver 1' }).click()
  await page.getByText('1 delivery is sent again.').waitFor()
  await receiver.until(4)

  const chart = page.getByRole('slider', { name: /[1-9]\d* delivered, [1-9]\d* failed/ })
  const read = async (): Promise<string> => (await chart.getAttribute('aria-valuetext')) ?? ''
  // The numbers keep changing.
  const latest = /: [1-9]\d* delivered, [1-9]\d* failed$/
  expect(await read()).toMatch(latest)
  await page.getByText(latest).waitFor()
  const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
  await chart.hover({ position: { x: width / 2, y: height / 2 } })
  await expect.poll(read).toMatch(/: 0 delivered, 0 failed$/)
  const hovered = await read()
  await chart.press('Home')
  await expect.poll(read).not.toBe(hovered)
  await page.locator('label').filter({ hasText: 'Response time' }).click()
  const latency = page.getByRole('slider', { name: /median \d+ ms/ })
  expect(await latency.getAttribute('aria-valuetext')).toMatch(/: median \d+ ms/)
  await page.getByRole('button', { name: 'Show as table' }).click()
  const table = page.getByRole('table', { name: 'Requests' })
  await table.getByRole('row').nth(1).getByRole('button').click()
  await filters.getByRole('button', { name: /^Remove filter: Created in the hour/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('hour')).toMatch(/:00:00/)
  await page.getByRole('link', { name: 'webhook.ping' }).waitFor()
  await expectSound()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('link', { name: 'webhook.ping' }).waitFor()
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await close()
})

test('the inspector shows requests as they arrive, and settings, verification, replay and secret rotation work', async () => {
  const { body: webhook } = await server.call('POST', path, {
    body: { Label: 'Look', TargetURL: 'zoetrope:inspector', EventTypes: ['project.*'] },
  })
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(
    `/notifications/${webhook.Id}?tab=inspector`,
    { dark: true },
  )
  forgive(/412/)
  await page.getByText('No requests yet.').waitFor()
  await server.call('POST', '/projects', { body: { Name: 'Spring' } })
  await page.getByRole('button', { name: /project\.new.*Signature valid/ }).click()
  await page.getByText('"Name": "Spring"').waitFor()
  await expectSound()

  await page.getByRole('tab', { name: 'Verification' }).click()
  for (const [language, said] of [
    ['Python', 'import hmac'],
    ['PHP', '<?php'],
    ['Go', 'package main'],
    ['Node.js', 'createHmac'],
  ] as const) {
    await page.getByText(language, { exact: true }).click()
    await page.getByText(said).first().waitFor()
  }
  await expectSound()

  await page.getByRole('tab', { name: 'Replay' }).click()
  // On a phone, a date and a time need the whole width.
  await page.setViewportSize({ width: 390, height: 844 })
  expect((await page.getByLabel(/^From/).boundingBox())?.width).toBeGreaterThan(300)
  await page.setViewportSize({ width: 1_280, height: 800 })
  await page.getByRole('button', { name: 'Replay events' }).click()
  await page.getByText('1 event queued.').waitFor()

  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.getByLabel('Label').fill('Looked at')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Looked at', level: 1 }).waitFor()

  // Another tab or user does not lose what is typed, nor is their change overwritten.
  await page.getByLabel('Label').fill('Mine')
  await page.getByRole('tab', { name: 'Replay' }).click()
  await page.getByRole('button', { name: 'Stay' }).click()
  const record = async () => (await server.call('GET', `${path}/${webhook.Id}`)).body
  await server.call('PUT', `${path}/${webhook.Id}`, {
    body: { Label: 'Theirs', EventTypes: ['project.*', 'playlist.*'] },
  })
  await page.getByRole('button', { name: 'Save' }).click()
  const conflict = page.getByRole('dialog').getByRole('radiogroup', { name: 'Label' })
  await conflict.getByRole('radio', { name: 'Theirs' }).waitFor()
  expect((await record()).Label).toBe('Theirs')
  await conflict.getByRole('radio', { name: 'Mine' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect.poll(record).toMatchObject({ Label: 'Mine', EventTypes: ['project.*', 'playlist.*'] })
  await page.getByRole('heading', { name: 'Mine', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click()
  const secret = await page.getByRole('textbox', { name: 'Secret' }).inputValue()
  const { body: after } = await server.call('GET', `${path}/${webhook.Id}`)
  expect(after).toMatchObject({ Label: 'Mine', SecretLastFour: secret.slice(-4) })
  expect(after.PreviousSecretValidUntil).not.toBeNull()
  await expectSound()

  await page.getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete webhook' }).click()
  await page.getByRole('heading', { name: 'Notifications', level: 1 }).waitFor()
  expect((await server.call('GET', `${path}/${webhook.Id}`)).status).toBe(404)
  await close()
})

/** Errors are German on each screen, and the drawer alone has the English text, too. */
const expectGermanFailure = async (): Promise<void> => {
  const german = 'Der Empfänger hat mit 503 statt mit 2xx geantwortet.'
  const english = 'The receiver answered 503 instead of 2xx.'
  const { page, close } = await zoetropeConsole.visit('/', { language: 'de' })
  await page.getByText(`Nach Fehlern pausiert: ${german}`).waitFor()
  await page.getByRole('link', { name: 'Benachrichtigungen' }).first().click()
  await page.getByText(german).waitFor()
  await page.getByRole('link', { name: 'Nicht zugestellte anzeigen' }).click()
  await page.getByRole('alert').getByText(german).waitFor()
  await page.getByRole('cell', { name: german }).first().waitFor()
  expect(await page.getByText(english).count()).toBe(0)
  await page.getByRole('link', { name: 'project.new' }).nth(11).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByText(german).first().waitFor()
  await drawer.getByText(english).first().waitFor()
  await close()
}

test('a failing webhook is listed first, shows that it is paused, and asks what to do with its backlog', async () => {
  status = 503
  await server.call('POST', path, {
    body: { Label: 'Fails', TargetURL: receiver.url, EventTypes: ['project.*'] },
  })
  await server.call('POST', path, {
    body: { Label: 'Unused', TargetURL: receiver.url, EventTypes: ['live.failed'] },
  })
  for (let index = 0; index < 12; index += 1)
    await server.call('POST', '/projects', { body: { Name: `Project ${index}` } })
  const { page, expectSound, expectSoundDialog, close } = await zoetropeConsole.visit('/notifications')
  await page.getByText('Paused after failures').waitFor()
  await page.reload()
  const cards = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await cards.first().getByText('Fails').waitFor()
  const unused = cards.filter({ hasText: 'Unused' })
  await unused.getByText('No requests yet').waitFor()
  await unused.getByText('no attempts').waitFor()
  expect(await unused.getByText('%').count()).toBe(0)
  await cards.first().getByText('12 pending').waitFor()
  await cards.first().getByText('0%').waitFor()
  await cards
    .first()
    .getByRole('img', { name: /0 attempts succeeded, [1-9]\d* failed/ })
    .waitFor()
  await expectSound()

  await expectGermanFailure()

  // Two clicks lead from the list to the answer of the receiver.
  await cards.first().getByRole('link', { name: 'Show undelivered' }).click()
  await page.getByRole('link', { name: 'project.new' }).nth(11).click()
  const delivery = page.getByRole('dialog')
  await delivery.getByText('what it says').first().waitFor()
  await delivery.getByRole('button', { name: 'Next' }).waitFor()
  await page.keyboard.press('Escape')
  await delivery.waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('status')).toBe('waiting,failed,pending')
  await page.getByRole('link', { name: 'Notifications' }).first().click()
  await page.getByRole('link', { name: 'Fails' }).click()
  await page.getByText('Pending: paused').first().waitFor()
  await page.getByRole('switch', { name: 'Enabled' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('12 deliveries are pending.').waitFor()
  await expectSoundDialog()
  await dialog.getByRole('button', { name: 'Disable and keep' }).click()
  await page.getByText('12 deliveries are kept and sent when you enable the webhook.').waitFor()
  await page.getByText('Kept: disabled').first().waitFor()
  status = 200
  const seen = receiver.received.length
  await page.getByRole('switch', { name: 'Enabled' }).click()
  await dialog.getByRole('button', { name: 'Enable and send' }).click()
  await receiver.until(seen + 12)
  await expect.poll(() => page.getByRole('cell', { name: 'Delivered' }).count()).toBe(12)
  await close()
})

test('the button that creates a webhook is visible in a low window', async () => {
  const { page, close } = await zoetropeConsole.visit('/notifications', { height: 700 })
  await page.getByRole('button', { name: 'Create webhook' }).click()
  const box = await page.getByRole('dialog').getByRole('button', { name: 'Create' }).boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(700)
  await close()
})
