import { afterAll, beforeAll, expect, test } from 'vitest'
import { changesOf, formOf } from '../../../console/src/projects/settings-form.ts'
import { newPerson } from '../../src/accounts/identity/test-support/people.ts'
import { makePicture } from '../../src/library/pictures/test-support/sample-pictures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

test('a project is created, configured, deleted with its files and restored', async () => {
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/projects')
  // The missing watermark and project answer 404, the invalid domain 400.
  forgive(/40[04]/)
  await page.getByRole('button', { name: 'Create project' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Spring campaign')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Spring campaign', level: 1 }).waitFor()
  const projectId = Number(/projects\/(\d+)/.exec(page.url())?.[1])

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByLabel('Require signed links').click()
  await page.getByRole('combobox', { name: 'Allowed embed domains' }).fill('https://example.com')
  await page.keyboard.press('Enter')
  await page.getByText('“https://example.com” is not a domain. Example: www.example.com').waitFor()
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('combobox', { name: 'Allowed embed domains' }).press('Backspace')
  await page.getByRole('textbox', { name: 'Player colour' }).fill('#FC1')
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByRole('group').getByRole('textbox', { name: 'Name' }).fill('department')
  // The API error appears at its field, and all input is kept.
  await page.getByRole('combobox', { name: 'Custom dimensions' }).fill('Campaign')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^This value must be/).waitFor()
  expect(await page.getByText('AnalyticsDimensions').count()).toBe(0)
  const dimensions = page.getByRole('combobox', { name: 'Custom dimensions' })
  await expect.poll(() => dimensions.evaluate((input) => input === document.activeElement)).toBe(true)
  await dimensions.press('Backspace')
  await page.getByRole('combobox', { name: 'Allowed embed domains' }).fill('www.example.com')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect((await server.call('GET', `/projects/${projectId}`)).body).toMatchObject({
    TokenSecurity: true,
    AllowedDomains: ['www.example.com'],
    PlayerTheme: { Color: '#ffcc11' },
    MetadataFields: [{ Name: 'department', Type: 'string' }],
  })

  await server.call('POST', `/projects/${projectId}/files`, { body: { FileName: 'a.mp4' } })
  await page.reload()
  await page.getByRole('button', { name: 'Delete project' }).click()
  await page.getByLabel(/^Project name/).fill('Spring campaign')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('Project “Spring campaign” deleted.').waitFor()
  expect((await server.call('GET', `/projects/${projectId}`)).status).toBe(404)
  await page.getByLabel('Show deleted').click()
  await page.getByRole('button', { name: 'Restore Spring campaign' }).click()
  await page.getByRole('link', { name: 'Spring campaign', exact: true }).waitFor()
  expect((await server.call('GET', `/projects/${projectId}`)).status).toBe(200)
  await expectSound()
  await close()
})

test('on a phone, notifications appear above the save bar', async () => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'On a phone' } })
  const { page, close } = await zoetropeConsole.visit(`/projects/${body.Id}/settings`, {
    ...{ width: 390, height: 844, language: 'de' },
  })
  await page.getByRole('textbox', { name: 'Name' }).first().fill('On a small phone')
  const bar = page.locator('.save-bar[data-dirty=true]')
  await bar.waitFor()
  const distance = () =>
    bar.evaluate((element) => {
      const toasts = document.querySelector('.mantine-Notifications-root[data-position=bottom-right]')
      return element.getBoundingClientRect().top - (toasts?.getBoundingClientRect().bottom ?? Infinity)
    })
  await expect.poll(distance).toBeGreaterThanOrEqual(0)
  await close()
})

test('a logo is uploaded next to the colour, gets its corner and link, and is deleted', async () => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'With a logo' } })
  const logo = async () => (await server.call('GET', `/projects/${body.Id}`)).body.PlayerTheme.Logo
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`/projects/${body.Id}/settings`)
  forgive(/40[04]/)
  await page.locator('form input[type=file]').setInputFiles({
    name: 'logo.png',
    mimeType: 'image/png',
    buffer: await makePicture({ extension: 'png', size: '64x32' }),
  })
  const preview = page.getByRole('img', { name: 'Player preview' })
  await preview.locator('img').waitFor()
  await page.getByRole('textbox', { name: 'Link' }).fill('www.example.com')
  await page.keyboard.press('Enter')
  await page.getByText(/^This value must be/).waitFor()
  await page.getByRole('textbox', { name: 'Link' }).fill('https://www.example.com')
  await page.getByRole('button', { name: 'Save link' }).click()
  await page.getByRole('button', { name: 'Save link' }).waitFor({ state: 'detached' })
  await page.getByRole('combobox', { name: 'Position' }).click()
  await page.getByRole('option', { name: 'Bottom left' }).click()
  await preview.locator('[data-position=bottom-left]').waitFor()
  await expectSound()
  expect(await logo()).toMatchObject({ Width: 64, Position: 'bottom-left', Link: 'https://www.example.com/' })
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove logo' }).click()
  await preview.locator('img').waitFor({ state: 'detached' })
  expect(await logo()).toBe(null)
  await close()
})

test('a file that is no picture is refused in words for people, in their language', async () => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Without pictures' } })
  const { page, close, forgive } = await zoetropeConsole.visit(`/projects/${body.Id}/settings`, {
    language: 'de',
  })
  forgive(/40[04]/)
  const text = { name: 'logo.txt', mimeType: 'text/plain', buffer: Buffer.from('No picture.') }
  const [logo, watermark] = [page.locator('form input[type=file]'), page.locator('input[type=file]').last()]
  const alert = page.getByRole('alert')
  for (const chosen of [text, { ...text, mimeType: 'image/gif' }]) {
    await logo.setInputFiles(chosen)
    await alert.getByText('Das Bild ist kein JPEG, PNG oder WebP.').waitFor()
    await watermark.setInputFiles(chosen)
    await alert.getByText('Das Bild ist kein PNG; ein Wasserzeichen muss ein PNG sein.').waitFor()
    await page.reload()
  }
  await close()
})

test('a former administrator sees an error and keeps the form input', async () => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Before' } })
  const person = await newPerson(server, { role: 'Administrator' })
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`/projects/${body.Id}/settings`, {
    as: person,
  })
  forgive(/40[34]/)
  await page.getByRole('textbox', { name: 'Name' }).fill('After')
  await server.call('PUT', `/users/${person.userId}`, { body: { Role: 'Reader' } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('After')
  expect((await server.call('GET', `/projects/${body.Id}`)).body.Name).toBe('Before')
  await expectSound()
  await close()
})

test('settings ask before they are left, keep what is typed during a save, and show conflicts by field', async () => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Shared' } })
  const project = async () => (await server.call('GET', `/projects/${body.Id}`)).body
  const { page, expectSound, expectSoundDialog, close, forgive } = await zoetropeConsole.visit(
    `/projects/${body.Id}/settings`,
  )
  forgive(/404|412/)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  const description = page.getByRole('textbox', { name: 'Description' })
  const dialog = page.getByRole('dialog')
  await description.fill('Mine')
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await dialog.getByText('Your changes on this screen are not saved.').waitFor()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })

  const sent = Promise.withResolvers<void>()
  const typed = Promise.withResolvers<void>()
  await page.route(`**/v3/projects/${body.Id}`, async (route) => {
    if (route.request().method() === 'PUT') {
      sent.resolve()
      await typed.promise
    }
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await sent.promise
  await description.fill('Typed meanwhile')
  typed.resolve()
  await page.getByText('Saved.', { exact: true }).waitFor()
  expect((await project()).Description).toBe('Mine')
  expect(await description.inputValue()).toBe('Typed meanwhile')
  await page.getByText('1 unsaved change', { exact: true }).last().waitFor()

  await name.fill('Name of mine')
  await server.call('PUT', `/projects/${body.Id}`, {
    body: { Name: 'Name of theirs', PlayerTheme: { Color: '#ff0000' }, Description: 'Theirs' },
  })
  await page.keyboard.press('Control+s')
  const field = (label: string) => dialog.getByRole('radiogroup', { name: label })
  await field('Name').getByRole('radio', { name: 'Name of theirs' }).waitFor()
  expect((await project()).Name).toBe('Name of theirs')
  expect(await dialog.getByRole('radiogroup').count()).toBe(2)
  await expectSoundDialog()
  await field('Name').getByRole('radio', { name: 'Name of mine' }).click()
  await field('Description').getByRole('radio', { name: 'Theirs' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(project).toMatchObject({
    Name: 'Name of mine',
    Description: 'Theirs',
    PlayerTheme: { Color: '#ff0000' },
  })
  expect(await description.inputValue()).toBe('Theirs')
  expect(await page.getByRole('textbox', { name: 'Player colour' }).inputValue()).toBe('#ff0000')

  // The focus stays on the screen when the save bar disappears with its button.
  await description.fill('Last')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
  await expect.poll(() => description.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Playlists' }).waitFor()
  await expectSound()
  await close()
})

test('the watermark asks before changes are left, and shows conflicts by field', async () => {
  const { body } = await server.call('POST', '/projects', { body: { Name: 'Marked' } })
  const path = `/projects/${body.Id}/watermark`
  await server.call('PUT', path, {
    body: await makePicture({ extension: 'png', size: '64x32' }),
    headers: { 'Content-Type': 'image/png' },
  })
  const { page, expectSoundDialog, close, forgive } = await zoetropeConsole.visit(
    `/projects/${body.Id}/settings`,
  )
  forgive(/412/)
  const dialog = page.getByRole('dialog')
  await page.getByRole('textbox', { name: 'Opacity (%)' }).fill('50')
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await dialog.waitFor({ state: 'detached' })
  await server.call('PUT', path, { body: { Opacity: 80, Position: 'top-left' } })
  await page.getByRole('button', { name: 'Save watermark' }).click()
  const conflict = dialog.getByRole('radiogroup', { name: 'Opacity (%)' })
  await conflict.getByRole('radio', { name: '80' }).waitFor()
  expect(await dialog.getByRole('radiogroup').count()).toBe(1)
  await expectSoundDialog()
  await conflict.getByRole('radio', { name: '50' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Saved.', { exact: true }).waitFor()
  const stored = await server.call('GET', path)
  expect(stored.body).toMatchObject({ Opacity: 50, Position: 'top-left' })
  await close()
})

test('unchanged settings send nothing, and a changed setting is sent alone', async () => {
  const { body } = await server.call('POST', '/projects', {
    body: {
      Name: 'Whole',
      StorageQuotaBytes: 1_500_000_000,
      EncoderSettings: { VideoCodecs: ['h264', 'av1'], Renditions: [{ Height: 720 }] },
      MetadataFields: [
        { Name: 'rank', Type: 'integer', Default: 3 },
        { Name: 'stars', Type: 'list', Values: ['a', 'b'], Default: ['a'] },
        { Name: 'isNew', Type: 'boolean', Default: false },
      ],
    },
  })
  const form = formOf(body)
  expect(changesOf(form, form)).toEqual({})
  expect(changesOf(form, { ...form, Name: 'Other' })).toEqual({ Name: 'Other' })
  const fields = form.fields.map((field) => ({ ...field, isRequired: true }))
  const answer = await server.call('PUT', `/projects/${body.Id}`, {
    body: changesOf(form, { ...form, quotaGigabytes: '', fields }),
  })
  expect(answer.body).toMatchObject({
    StorageQuotaBytes: null,
    MetadataFields: [{ Default: 3 }, { Values: ['a', 'b'], Default: ['a'] }, { Default: false }],
  })
})
