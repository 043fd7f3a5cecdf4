import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSample } from '../support/media.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { waitFor } from '../support/wait-for.ts'
import { expectReachable, startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console
let projectId: number
let fileId: number

const record = async (id = fileId) => (await server.call('GET', `/projects/${projectId}/files/${id}`)).body

const upload = async (fileName: string, body: Buffer): Promise<number> => {
  const made = await server.call('POST', `/projects/${projectId}/files?fileName=${fileName}`, {
    body,
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  await waitFor(
    () => record(made.body.Id),
    ({ IsFinished }) => IsFinished,
  )
  return made.body.Id
}

const path = (tab = '', id = fileId): string => `/projects/${projectId}/files/${id}${tab && `?tab=${tab}`}`

beforeAll(async () => {
  server = await startTestServer({ withWorker: true })
  const MetadataFields = [
    { Name: 'desk', Type: 'string', Values: ['News', 'Sports'], IsRequired: true },
    { Name: 'shotOn', Type: 'date' },
  ]
  const project = await server.call('POST', '/projects', {
    body: { Name: 'Newsroom', MetadataFields, EncoderSettings: { UseEncoding: false } },
  })
  projectId = project.body.Id
  fileId = await upload('interview.mp4', await makeSample({ seconds: 3 }))
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

test('an editor saves metadata that viewers then see, and resolves conflicting changes field by field', async () => {
  const category = await server.call('POST', '/modules/categories', { body: { Label: 'Bridges' } })
  const { page, forgive, expectSound, expectSoundDialog, close } = await zoetropeConsole.visit(
    path('details'),
  )
  forgive(/412/)
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('A bridge for everybody')
  await page.getByRole('combobox', { name: 'Categories', exact: true }).click()
  await page.getByRole('option', { name: 'Bridges' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('city')
  await page.keyboard.press('Enter')
  await page.getByLabel('shotOn').fill('2026-03-01')
  await page.getByText('Check the fields that are marked in red.').first().waitFor()
  await page.getByRole('combobox', { name: 'desk' }).click()
  await page.getByRole('option', { name: 'News' }).click()
  await page.getByRole('combobox', { name: 'Release status' }).click()
  await page.getByRole('option', { name: 'Published', exact: true }).click()
  await page.getByText('6 unsaved changes').first().waitFor()

  // Neither another section nor a click on a link discards the form.
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await page.getByRole('button', { name: 'Stay' }).click()
  // The screen of the file in another project would begin without them.
  await page.getByRole('button', { name: 'More actions' }).click()
  expect(await page.getByRole('menuitem', { name: 'Move to project' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByText('Visible to viewers.').waitFor()
  expect((await record()).Metadata).toMatchObject({
    Title: 'A bridge for everybody',
    ReleaseStatus: 'published',
    Category: [{ Id: category.body.Id }],
    Tags: ['city'],
    CustomMetadata: { adsDisabled: false, desk: 'News', shotOn: '2026-03-01' },
  })
  // One click in the header unpublishes the file.
  await page.getByRole('button', { name: 'Unpublish' }).click()
  await page.getByText('Not visible to viewers.').waitFor()
  expect((await record()).Metadata.ReleaseStatus).toBe('unpublished')

  await title.fill('Mine')
  await page.getByRole('button', { name: 'More fields' }).click()
  await page.getByRole('textbox', { name: 'Genre' }).fill('Reportage')
  await page.getByRole('textbox', { name: 'Rating' }).fill('6+')
  await server.call('PUT', `/projects/${projectId}/files/${fileId}/metadata`, {
    body: { Title: 'Theirs', Genre: 'Interview', Series: 'Rivers' },
  })
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog')
  const field = (name: string) => dialog.getByRole('radiogroup', { name })
  await field('Title').getByRole('radio', { name: 'Theirs' }).waitFor()
  expect((await record()).Metadata.Title).toBe('Theirs')
  expect(await dialog.getByRole('radiogroup').count()).toBe(2)
  // It may also have been the same user, in another tab.
  await dialog.getByText('2 fields have changed since you began to edit them.').waitFor()
  await expectSoundDialog()
  await field('Title').getByRole('radio', { name: 'Mine' }).click()
  expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await field('Genre').getByRole('radio', { name: 'Interview' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await record()).Metadata)
    .toMatchObject({ Title: 'Mine', Genre: 'Interview', Rating: '6+', Series: 'Rivers' })
  expect(await page.getByRole('textbox', { name: 'Series' }).inputValue()).toBe('Rivers')
  await expectSound()
  await close()
})

test('the title is edited in place, and ID, link and embed code are one click away', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit(path(), { width: 1440, height: 900 })
  await page.getByRole('heading', { level: 1 }).getByRole('button').click()
  const title = page.getByRole('textbox', { name: 'Title of the file' })
  await title.fill('Never')
  await title.press('Escape')
  await page.getByRole('heading', { level: 1 }).getByRole('button').press('Enter')
  await title.fill('A bridge')
  await title.press('Control+s')
  await page.getByRole('heading', { level: 1, name: 'A bridge' }).waitFor()
  await page.getByRole('heading', { level: 1 }).getByRole('button').press('Enter')
  await title.fill('A bridge opens')
  await title.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'A bridge opens' }).waitFor()
  await expect.poll(async () => (await record()).Metadata.Title).toBe('A bridge opens')

  await page.evaluate(() => {
    Object.assign(globalThis, { copied: [] })
    navigator.clipboard.writeText = async (text) =>
      void (globalThis as unknown as { copied: string[] }).copied.push(text)
  })
  const last = page.getByRole('button', { name: `ID ${fileId}`, exact: true })
  const before = await last.boundingBox()
  await page.getByRole('button', { name: 'Copy link', exact: true }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await last.boundingBox()).toEqual(before)
  for (const name of ['Copy embed code', `ID ${fileId}`])
    await page.getByRole('button', { name, exact: true }).click()
  const { EmbedURI } = (await record()).Playouts[0]
  expect(await page.evaluate(() => (globalThis as unknown as { copied: string[] }).copied)).toEqual([
    EmbedURI,
    expect.stringContaining(`src="${EmbedURI}"`),
    String(fileId),
  ])
  await expectSound()
  await close()
})

test('on a phone, no copy button is alone on its line, and none covers the embed code', async () => {
  const { page, close } = await zoetropeConsole.visit(path('delivery'), {
    ...{ width: 390, height: 844, language: 'de' },
  })
  const tiles = page.locator('.copy-row > button')
  await tiles.nth(2).waitFor()
  const tops = await tiles.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  const lines = Object.values(Object.groupBy(tops, String))
  expect(Math.min(...lines.map((line = []) => line.length))).toBeGreaterThan(1)
  const block = page.locator('.code-block').first()
  const [code, copy] = [await block.locator('pre').boundingBox(), await block.locator('button').boundingBox()]
  expect((code?.x ?? 0) + (code?.width ?? 0)).toBeLessThanOrEqual(copy?.x ?? 0)
  await close()
})

test('the current frame of the player becomes the poster and the start of a clip', async () => {
  const before = (await record()).Metadata.StandardFilePicture
  const { page, forgive, expectSound, close } = await zoetropeConsole.visit(path('pictures'))
  forgive(/400/)
  const player = page.frameLocator('iframe').locator('video')
  await page.locator('input[type=file]').setInputFiles({
    ...{ name: 'poster.pdf', mimeType: 'application/pdf', buffer: Buffer.from('No picture.') },
  })
  await page.getByText('The picture is not a JPEG, PNG or WebP; send one of these.').waitFor()
  await player.evaluate(async (video: HTMLVideoElement) => {
    video.muted = true
    await video.play()
  })
  await page.getByRole('button', { name: /Capture frame \(0:0[1-9]/ }).waitFor()
  await player.evaluate((video: HTMLVideoElement) => {
    video.pause()
    video.currentTime = 2.5
  })
  await page.getByRole('button', { name: 'Capture frame (0:02.50)' }).click()
  await page.getByText('set as the poster').waitFor()
  await expectSound()
  const after = (await record()).Metadata.StandardFilePicture
  expect(after.FilePictureId).not.toBe(before.FilePictureId)
  expect(after.ManualUpload).toBe(false)
  await page.getByRole('button', { name: `Use as poster: picture ${before.FilePictureId}` }).click()
  await page.getByRole('button', { name: `Delete picture ${after.FilePictureId}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect((await record()).Metadata.StandardFilePicture.FilePictureId).toBe(before.FilePictureId)

  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'New clip' }).click()
  await page.getByRole('button', { name: 'Use player position: start' }).click()
  await expect.poll(() => page.getByLabel('Start', { exact: true }).inputValue()).toBe('0:02.50')
  await page.getByRole('textbox', { name: 'Title' }).fill('The end')
  await page.getByRole('button', { name: 'Create clip' }).click()
  await page.getByRole('link', { name: 'Open clip' }).click()
  await page.getByRole('heading', { level: 1, name: 'The end' }).waitFor()
  await close()
})

test('captions are uploaded, listed and edited, and a deleted file is restored', async () => {
  const { page, forgive, expectSound, expectSoundDialog, close } = await zoetropeConsole.visit(
    path('captions'),
  )
  forgive(/40[04]|412/)
  await page.getByRole('button', { name: 'Add captions' }).click()
  await expect
    .poll(async () => {
      const button = await page.getByRole('dialog').getByRole('button', { name: 'Save' }).boundingBox()
      return (button?.y ?? 800) + (button?.height ?? 0)
    })
    .toBeLessThan(760)
  await page.locator('[role=dialog] input[data-autofocus]:focus').waitFor()
  // Not covered by its suggestions before the user types.
  expect(await page.getByRole('listbox').count()).toBe(0)
  await page.locator('input[type=file]').setInputFiles({
    name: 'interview.de.srt',
    mimeType: 'application/x-subrip',
    buffer: Buffer.from('1\n00:00:00,500 --> 00:00:02,000\nGuten Tag, Z\xfcrich.\n', 'latin1'),
  })
  const dialog = page.getByRole('dialog')
  const text = dialog.getByRole('textbox', { name: 'Text' })
  await expect.poll(() => text.inputValue()).toContain('Zürich')
  await expectSound()
  await dialog.getByRole('button', { name: 'Save' }).click()
  const hasFocus = (name: string) => () =>
    page.getByRole('button', { name }).evaluate((button) => button === document.activeElement)
  await expect.poll(hasFocus('Add captions')).toBe(true)
  await page.getByRole('button', { name: 'Edit Deutsch' }).click()
  await text.waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(hasFocus('Edit Deutsch')).toBe(true)
  await page.getByRole('button', { name: 'Edit Deutsch' }).click()
  await text.fill('this is no WebVTT')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('textarea[aria-invalid=true]:focus').waitFor()
  await text.fill('WEBVTT\n\n00:00.500 --> 00:02.000\nGrüezi.\n')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [caption] = (await record()).Captions
  expect(caption).toMatchObject({ Language: 'de', Kind: 'subtitles', IsDefault: true })
  const storedText = async (): Promise<string> => {
    const { body } = await server.call('GET', `/projects/${projectId}/files/${fileId}/playouts`)
    return (await fetch(body.Playouts[0].Preview.Captions[0].URI)).text()
  }
  expect(await storedText()).toContain('Grüezi.')

  // Another user changes the same text and another field.
  await page.getByRole('button', { name: 'Edit Deutsch' }).click()
  await text.fill('WEBVTT\n\n00:00.500 --> 00:02.000\nOur text.\n')
  await server.call('PUT', `/projects/${projectId}/files/${fileId}/captions/${caption.Id}`, {
    body: { Content: 'WEBVTT\n\n00:00.500 --> 00:02.000\nText of others.\n', Label: 'Hochdeutsch' },
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This field has changed since you began to edit it.').waitFor()
  const conflict = dialog.getByRole('radiogroup', { name: 'Text' })
  await conflict.getByRole('radio', { name: 'Text of others.' }).waitFor()
  expect(await dialog.getByRole('radiogroup').count()).toBe(1)
  await expectSoundDialog()
  await conflict.getByRole('radio', { name: 'Our text.' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(storedText).toContain('Our text.')
  expect((await record()).Captions[0].Label).toBe('Hochdeutsch')

  // A file without unsaved changes can be restored as it was. Others are lost, so the screen asks.
  await page.getByRole('tab', { name: 'Details' }).click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Not saved')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByText('Your unsaved changes are lost').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.getByRole('tab', { name: 'Delivery' }).click()
  await page.getByRole('table', { name: 'Renditions of this file' }).waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByRole('table', { name: 'Renditions of this file' }).waitFor()
  expect((await record()).IsEnabled).toBe(true)
  await expectSound()
  await close()
})

test('chapters are edited in rows, and the player then lists them', async () => {
  const { page, forgive, expectSound, close } = await zoetropeConsole.visit(path('captions'))
  forgive(/412/)
  const player = page.frameLocator('iframe')
  await page.getByRole('button', { name: 'Add chapters' }).focus()
  await page.keyboard.press('Enter')
  await page.locator(':focus', { hasText: /^Add at / }).waitFor()
  const row = (number: number) => page.getByRole('group', { name: `Chapter ${number}` })
  const title = (number: number) => row(number).getByRole('textbox', { name: 'Title' })
  await page.getByRole('button', { name: 'Add at 0:00.00' }).click()
  await expect.poll(() => title(1).evaluate((one) => one === document.activeElement)).toBe(true)
  // A new row has the focus in its title field, so the keyboard is enough.
  await page.keyboard.type('Dawn & dusk')
  await player.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 1.5
  })
  await page.getByRole('button', { name: 'Add at 0:01.50' }).press('Enter')
  await page.getByRole('button', { name: 'Save chapters' }).click()
  await page.getByText('Enter a title.').waitFor()
  await expectSound()
  // On a phone, the buttons of a row are on the same line as its fields.
  await page.setViewportSize({ width: 360, height: 740 })
  const middle = async (part: Locator): Promise<number> => {
    const { y = 0, height = 0 } = (await part.boundingBox()) ?? {}
    return y + height / 2
  }
  const farthestFromLine = async (): Promise<number> => {
    const line = await middle(title(2))
    const buttons = await Promise.all((await row(2).getByRole('button').all()).map(middle))
    return Math.max(...buttons.map((button) => Math.abs(button - line)))
  }
  await expect.poll(farthestFromLine).toBeLessThan(2)
  await page.setViewportSize({ width: 1280, height: 800 })
  await title(2).fill('The valley')
  await row(2).getByRole('textbox', { name: 'Start' }).fill('0:00')
  await page.getByText('Another chapter starts at this time.').waitFor()
  await row(2).getByRole('textbox', { name: 'Start' }).fill('1')
  // Neither another tab nor a click on a link discards the rows.
  await page.getByRole('tab', { name: 'Pictures' }).click()
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('tab', { name: 'Captions' }).click()
  await page.keyboard.press('Control+s')
  await page.getByRole('cell', { name: 'Chapters' }).waitFor()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Close' }).click()
  await expect
    .poll(() =>
      page.getByRole('button', { name: 'Add chapters' }).evaluate((one) => one === document.activeElement),
    )
    .toBe(true)

  await page.reload()
  await player.getByRole('button', { name: 'Chapters' }).click()
  await player.getByText('The valley').waitFor()
  await page.getByRole('button', { name: 'Edit English' }).click()
  expect(await title(1).inputValue()).toBe('Dawn & dusk')
  // A row whose time changes moves to its sorted position.
  await row(1).getByRole('textbox', { name: 'Start' }).fill('2.25')
  await page.keyboard.press('Tab')
  await expect.poll(() => title(2).inputValue()).toBe('Dawn & dusk')
  await row(1).getByRole('button', { name: 'Delete chapter 1' }).click()
  await page.getByRole('button', { name: 'Save chapters' }).click()
  await page.getByRole('tabpanel').getByRole('button', { name: 'Close' }).waitFor()
  const { Preview } = (await server.call('GET', `/projects/${projectId}/files/${fileId}/playouts`)).body
    .Playouts[0]
  const [{ URI }] = Preview.Captions.filter(({ Kind }: { Kind: string }) => Kind === 'chapters')
  expect(await (await fetch(URI)).text()).toBe('WEBVTT\n\n00:00:02.250 --> 00:00:03.000\nDawn &amp; dusk\n')

  // Another user changes the chapters meanwhile.
  await title(1).fill('Night')
  const { Id } = (await record()).Captions.find(({ Kind }: { Kind: string }) => Kind === 'chapters')
  await server.call('PUT', `/projects/${projectId}/files/${fileId}/captions/${Id}`, {
    body: { Content: 'WEBVTT\n\n00:00.000 --> 00:03.000\nMorning\n' },
  })
  await page.getByRole('button', { name: 'Save chapters' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Night' }).waitFor()
  await dialog.getByRole('radio', { name: 'Morning' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await title(1).inputValue()).toBe('Morning')
  await close()
})

test('a signed link is revoked where links are created', async () => {
  const { page, close } = await zoetropeConsole.visit(path('delivery'))
  await page.getByRole('button', { name: 'Signed links' }).click()
  const sign = `/projects/${projectId}/files/${fileId}/playouts/sign`
  const { HLS, TokenId } = (await server.call('POST', sign, { body: {} })).body
  const link = page.getByRole('textbox', { name: 'Revoke a signed link' })
  await link.fill(HLS.replace(TokenId, ''))
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await page.getByText('This is not a signed link.').waitFor()
  await link.fill(HLS)
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await page.getByText('Revoked.', { exact: true }).waitFor()
  const rows = await server.services.database.kysely.selectFrom('revoked_links').select('token_id').execute()
  expect(rows).toEqual([{ token_id: TokenId }])
  await close()
})

test('renditions on demand are listed as such, and a download has them encoded first', async () => {
  const onDemand = await server.call('POST', '/projects', {
    body: {
      Name: 'Archive',
      EncoderSettings: { LadderMode: 'on-demand', Renditions: [{ Height: 64 }, { Height: 90 }] },
    },
  })
  const { Id: archiveId } = onDemand.body
  const made = await server.call('POST', `/projects/${archiveId}/files?fileName=old.mp4`, {
    body: await makeSample({ seconds: 6, size: '320x180', extra: ['-g', '60', '-sc_threshold', '0'] }),
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  await waitFor(
    async () => (await server.call('GET', `/projects/${archiveId}/files/${made.body.Id}`)).body,
    ({ IsFinished }) => IsFinished,
  )
  const { page, expectSound, close } = await zoetropeConsole.visit(
    `/projects/${archiveId}/files/${made.body.Id}?tab=delivery`,
  )
  const row = (name: string) =>
    page.getByRole('table', { name: 'Renditions of this file' }).getByRole('row').filter({ hasText: name })
  await row('Source').getByText('Ready', { exact: true }).first().waitFor()
  await row('90p').getByText('On demand', { exact: true }).waitFor()
  // At the width of a laptop, the last column is in view.
  const table = page.locator('.data-table')
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  await row('90p').getByText('≤').waitFor()
  await page.setViewportSize({ width: 1_024, height: 800 })
  await row('90p').getByText('≤').waitFor({ state: 'detached' })
  expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
  await page.setViewportSize({ width: 1_280, height: 800 })
  await page.getByText('Missing parts are encoded when viewers request them.').waitFor()
  await expectSound()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Encode and download 90p as MP4' }).click()
  await page.getByRole('button', { name: /^Encoding 90p: \d+ %$/ }).waitFor()
  expect((await download).suggestedFilename()).toBe('old.mp4')
  // The list notices it without an event.
  await row('90p').getByText('Ready', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Download 90p as MP4' }).waitFor()
  await close()
})

test('a file that is no video shows the reason, can be retried, and plays after its source is replaced', async () => {
  const id = await upload('notes.mp4', Buffer.from('not a video at all'))
  const { page, expectSound, close } = await zoetropeConsole.visit(path('activity', id))
  const { ErrorMessage } = await record(id)
  await page.getByText(ErrorMessage).first().waitFor()
  await page.getByRole('button', { name: 'Retry processing' }).click()
  await expect.poll(() => page.getByText('Processing failed').count()).toBe(2)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Replace source …' }).click()
  const dialog = page.getByRole('dialog')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'right.mp4', mimeType: 'video/mp4', buffer: await makeSample({ seconds: 3 }) })
  await expectSound()
  await dialog.getByRole('button', { name: 'Upload and replace' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.frameLocator('iframe').locator('video').waitFor({ state: 'attached' })
  expect(await record(id)).toMatchObject({ IsPlayable: true, HasErrors: false })
  await close()
})

test('all sections fit a phone in dark mode and German, and a user with read access can change nothing', async () => {
  const { page, expectSound, close } = await zoetropeConsole.visit(path('details'), {
    role: 'Reader',
    language: 'de',
    dark: true,
    width: 390,
    height: 844,
  })
  await server.call('PUT', `/projects/${projectId}/files/${fileId}`, { body: { EncodingPriority: 60 } })
  expect(await page.getByRole('textbox', { name: 'Titel', exact: true }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Weitere Aktionen' }).count()).toBe(0)
  expect(await page.getByRole('heading', { level: 1 }).getByRole('button').count()).toBe(0)
  for (const tab of ['Details', 'Untertitel', 'Bilder', 'Auslieferung', 'Aktivität', 'Übersicht']) {
    await page.getByRole('tab', { name: tab }).click()
    await expectReachable(page)
    // With the labels of the form, not the names of the API.
    if (tab === 'Aktivität') await page.getByText('Geändert: Encoding-Priorität').first().waitFor()
    // The other sections are checked in light mode.
    if (['Details', 'Auslieferung', 'Übersicht'].includes(tab)) await expectSound()
  }
  await close()
})

test('the primary action of the file screen stays in view on a phone', async () => {
  const { page, close } = await zoetropeConsole.visit(path(), { width: 390, height: 844 })
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
  await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isVisible()).toBe(true)
  const box = await page.getByRole('button', { name: 'Publish' }).boundingBox()
  expect(box?.y).toBeGreaterThanOrEqual(0)
  expect(box?.y).toBeLessThan(800)
  await close()
})

test('a date is corrected digit by digit, and a language is found by its name', async () => {
  const { page, close } = await zoetropeConsole.visit(path('details'))
  await page.getByRole('button', { name: 'More fields' }).click()
  const from = page.getByLabel('Visible from')
  await from.fill('2026-12-24T09:30')
  await from.fill('0002-12-24T09:30')
  expect(await from.inputValue()).toBe('0002-12-24T09:30')
  // A date and a time need this width.
  await page.setViewportSize({ width: 1_024, height: 800 })
  await expect.poll(async () => (await from.boundingBox())?.width).toBeGreaterThan(200)
  const language = page.getByRole('combobox', { name: 'Language', exact: true })
  await language.fill('germ')
  await page.getByRole('option', { name: 'German (de)' }).waitFor()
  await language.fill('German')
  await language.blur()
  expect(await language.inputValue()).toBe('de')
  await close()
})

test('the address of a project alone shows its library, with scheduled files as such', async () => {
  await server.call('PUT', `/projects/${projectId}/files/${fileId}/metadata`, {
    body: { ReleaseStatus: 'published', IsPublicAt: '2100-01-01T00:00:00Z' },
  })
  const { page, close } = await zoetropeConsole.visit(`/projects/${projectId}`)
  await page.getByText('Scheduled', { exact: true }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe(`/console/projects/${projectId}/files`)
  await close()
})

test('Ctrl+S saves the tag that is being typed, and signing out asks before changes are lost', async () => {
  const { page, close } = await zoetropeConsole.visit(path('details'))
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('With a tag')
  await page.getByRole('combobox', { name: 'Tags' }).fill('halfway')
  await page.keyboard.press('Control+s')
  await expect
    .poll(async () => (await record()).Metadata)
    .toMatchObject({ Title: 'With a tag', Tags: expect.arrayContaining(['halfway']) })

  await title.fill('Not saved')
  await page
    .getByRole('button', { name: /^User menu|Account|Profile/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Signing out discards your unsaved changes.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await title.inputValue()).toBe('Not saved')
  await close()
})

test('a save that ends while the console asks whether to leave answers the question', async () => {
  const { page, close } = await zoetropeConsole.visit(path('details'))
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  const saving = Promise.withResolvers<void>()
  await page.route('**/files/*', async (route) => {
    if (route.request().method() === 'PUT') await saving.promise
    await route.continue()
  })
  await title.fill('Saved in the end')
  await page.keyboard.press('Control+s')
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).waitFor()
  saving.resolve()
  await page.getByRole('heading', { name: 'Playlists' }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect((await record()).Metadata.Title).toBe('Saved in the end')
  await close()
})

test('what is done without a connection fails at once, and is not done later', async () => {
  const { page, forgive, close } = await zoetropeConsole.visit(path('details'))
  forgive(/ERR_INTERNET_DISCONNECTED|Failed to load resource/)
  const before = (await record()).Metadata.Title
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Written in a tunnel')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The server is unreachable. Your input is kept').first().waitFor()
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.waitForTimeout(2_000)
  expect((await record()).Metadata.Title).toBe(before)
  await close()
})

test('unsaved changes of a file that another user deletes stay readable, and are saved once it is restored', async () => {
  const id = await upload('shared.mp4', await makeSample({ seconds: 1 }))
  const url = `/projects/${projectId}/files/${id}`
  const { page, forgive, expectSound, close } = await zoetropeConsole.visit(path('details', id))
  forgive(/404/)
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  await description.fill('Typed for half an hour.')
  await page.getByRole('combobox', { name: 'desk' }).click()
  await page.getByRole('option', { name: 'News' }).click()
  await server.call('DELETE', url)
  const notice = page.getByRole('alert').filter({ hasText: 'This file was moved to the trash.' })
  await notice.waitFor()
  expect(await page.getByText('Visible to viewers').count()).toBe(0)
  expect(await description.inputValue()).toBe('Typed for half an hour.')
  expect(await description.isEnabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  await expectSound()
  await notice.getByRole('button', { name: 'Restore' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^Saved\./).waitFor()
  expect((await record(id)).Metadata.Description).toBe('Typed for half an hour.')

  // After the retention time, the file is not in the trash either.
  await page.route(/includeDeleted/, (route) =>
    route.fulfill({ json: { Files: [], TotalCount: 0, NextCursor: null } }),
  )
  await description.fill('Typed in vain.')
  await server.call('DELETE', url)
  await page.getByRole('alert').filter({ hasText: 'This file no longer exists.' }).waitFor()
  expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  expect(await description.inputValue()).toBe('Typed in vain.')
  await page.getByRole('button', { name: 'Discard' }).click()
  await description.waitFor({ state: 'detached' })
  await close()
})

test('captions being typed stay readable when another user deletes the file, and are saved once it is restored', async () => {
  const id = await upload('typed.mp4', await makeSample({ seconds: 1 }))
  const url = `/projects/${projectId}/files/${id}`
  const { page, forgive, expectSoundDialog, close } = await zoetropeConsole.visit(path('captions', id))
  forgive(/404/)
  const dialog = page.getByRole('dialog')
  const text = dialog.getByRole('textbox', { name: 'Text' })
  const notice = dialog.getByRole('alert').filter({ hasText: 'This file was moved to the trash.' })
  const save = dialog.getByRole('button', { name: 'Save' })
  const content = (said: string) => `WEBVTT\n\n00:00.000 --> 00:01.000\n${said}\n`

  await page.getByRole('button', { name: 'Add captions' }).click()
  await dialog.getByLabel('Language').fill('en')
  await text.fill(content('Typed.'))
  await server.call('DELETE', url)
  await notice.waitFor()
  expect(await text.inputValue()).toBe(content('Typed.'))
  expect(await save.isDisabled()).toBe(true)
  await expectSoundDialog()
  await notice.getByRole('button', { name: 'Restore' }).click()
  await notice.waitFor({ state: 'detached' })
  await save.click()
  await dialog.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Edit English' }).click()
  await text.fill(content('Corrected.'))
  await server.call('DELETE', url)
  await notice.waitFor()
  expect(await text.inputValue()).toBe(content('Corrected.'))
  // Without text to lose, the screen shows the deleted file.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText(/^This file is in the trash until/).waitFor()
  await close()
})

test('unsaved changes stay when another user moves the file, and are saved in its new project', async () => {
  const id = await upload('wanderer.mp4', await makeSample({ seconds: 1 }))
  const { body: target } = await server.call('POST', '/projects', { body: { Name: 'Archive' } })
  const { page, forgive, expectSound, close } = await zoetropeConsole.visit(path('details', id))
  forgive(/404/)
  const description = page.getByRole('textbox', { name: 'Description', exact: true })
  await description.fill('Typed for half an hour.')
  await server.call('POST', `/projects/${projectId}/files/${id}/move`, { body: { ProjectId: target.Id } })
  await page.getByText('1 file moved to “Archive”.').waitFor()
  await page.waitForURL(`**/projects/${target.Id}/files/${id}?tab=details`)
  expect(await description.inputValue()).toBe('Typed for half an hour.')
  await expectSound()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText(/^Saved\./).waitFor()
  const { body: moved } = await server.call('GET', `/projects/${target.Id}/files/${id}`)
  expect(moved.Metadata.Description).toBe('Typed for half an hour.')

  // The user who moves it back sees one notification.
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to project' }).click()
  await page.getByRole('dialog').getByRole('combobox', { name: 'Project' }).click()
  await page.getByRole('option', { name: 'Newsroom' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.waitForURL(`**/projects/${projectId}/files/${id}?tab=details`)
  await description.waitFor()
  expect(await page.getByText('1 file moved to “Newsroom”.').count()).toBe(1)
  await close()
})
