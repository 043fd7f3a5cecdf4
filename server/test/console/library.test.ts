import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { newPerson } from '../../src/accounts/identity/test-support/people.ts'
import { makeSample } from '../support/media.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { changeMediaFile } from '../../src/library/files/record/media-file-store.ts'
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

const newProject = async (Name: string): Promise<number> => {
  const { body } = await server.call('POST', '/projects', {
    body: { Name, EncoderSettings: { UseEncoding: false } },
  })
  return body.Id
}

const newFiles = (projectId: number, titles: readonly string[], metadata: object = {}) =>
  Promise.all(
    titles.map(async (Title) => {
      const { body } = await server.call('POST', `/projects/${projectId}/files`, {
        body: { FileName: `${Title}.mp4`, Metadata: { Title, ...metadata } },
      })
      return body.Id as number
    }),
  )

/** Files as a worker leaves them. */
const newFinishedFiles = async (projectId: number, titles: readonly string[]): Promise<number[]> => {
  const ids = await newFiles(projectId, titles)
  for (const fileId of ids)
    await server.services.database.transaction((tx) =>
      changeMediaFile(tx, server.url, { accountId: 1, fileId }, () => ({ set: { state: 'finished' } })),
    )
  return ids
}

const titlesIn = async (projectId: number): Promise<string[]> =>
  (await filesOf(projectId, 'orderBy=title&sort=asc')).Files.map(
    ({ Metadata }: { Metadata: { Title: string } }) => Metadata.Title,
  )

/**
 * A video in browser codecs with a `free` box of this size at the end, which players skip (ISO/IEC 14496-12
 * 8.1.2).
 */
const sampleOf = async (paddingBytes: number): Promise<Buffer> => {
  const padding = Buffer.alloc(paddingBytes)
  padding.writeUInt32BE(paddingBytes)
  padding.write('free', 4)
  return Buffer.concat([await makeSample({ seconds: 1 }), padding])
}

const drop = async (page: Page, name: string, bytes: Buffer, type = 'video/mp4'): Promise<void> => {
  const transfer = await page.evaluateHandle(
    ([fileName = '', base64 = '', fileType = '']) => {
      const data = new DataTransfer()
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
      data.items.add(new File([content], fileName, { type: fileType, lastModified: 1_000 }))
      return data
    },
    [name, bytes.toString('base64'), type],
  )
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer })
  await page.getByText('Drop files to upload').waitFor()
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer })
}

const filesOf = async (projectId: number, query = '') =>
  (await server.call('GET', `/projects/${projectId}/files?${query}`)).body

const bytesAreKept = async (): Promise<boolean> => {
  const open = indexedDB.open('zoetrope-uploads')
  const database = await new Promise<IDBDatabase>((resolve) => {
    open.addEventListener('success', () => resolve(open.result))
  })
  const count = database.transaction('bytes').objectStore('bytes').count()
  return new Promise((resolve) => {
    count.addEventListener('success', () => resolve(count.result === 1))
  })
}

const letThrough = async (page: Page, range: RegExp): Promise<string[]> => {
  const sent: string[] = []
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route('**/uploads/*', async (route) => {
    const asked = route.request().headers()['content-range'] ?? ''
    if (asked !== '' && !range.test(asked)) return
    if (asked !== '') sent.push(asked)
    await route.continue()
  })
  return sent
}

test('a dropped file survives a reload, resumes at its offset, and is listed when ready, while the tray folds', async () => {
  const projectId = await newProject('Reload')
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`/projects/${projectId}/files`)
  forgive(/ERR_FAILED/)
  await page.getByText('No files yet').waitFor()
  const source = await sampleOf(4_000_000)
  const sentBefore = await letThrough(page, /^bytes [01]/)
  await drop(page, 'long.mp4', source)
  const panel = page.getByRole('region', { name: 'Uploads' })
  await panel.getByText(/2\.1 MB of/).waitFor()
  await page.waitForFunction(bytesAreKept)
  const sentAfter = await letThrough(page, /./)
  await page.reload()
  await panel.getByText('1 of 1 uploaded').first().waitFor()
  const row = page.getByRole('row', { name: /long/ })
  await row.getByText('Ready').waitFor()
  await row.getByText('0:01').waitFor()
  await panel.getByRole('button', { name: 'Show list' }).click()
  await panel.getByRole('listitem').filter({ hasText: 'long.mp4' }).waitFor()
  await row.locator('.thumb').hover()
  await row.locator('.thumb-preview').waitFor()
  await page.mouse.move(0, 0)
  // The first bytes were sent only once.
  expect([sentBefore, sentAfter].flat().filter((range) => range.startsWith('bytes 0-'))).toHaveLength(1)
  expect(await filesOf(projectId)).toMatchObject({
    TotalCount: 1,
    Files: [{ Status: 'finished', Properties: { Size: source.length }, Metadata: { Title: 'long' } }],
  })
  await expectSound()
  // After the upload, the browser keeps neither the bytes nor the upload URL, which permits writing.
  await page.reload()
  await row.waitFor()
  expect(await panel.count()).toBe(0)
  await close()
})

test('the upload tray rejects files that are no media and reports the result of the others', async () => {
  const projectId = await newProject('Outcome')
  const { page, expectSound, close } = await zoetropeConsole.visit(`/projects/${projectId}/files`)
  await page.getByText('No files yet').waitFor()
  const panel = page.getByRole('region', { name: 'Uploads' })
  const item = (name: string) => panel.getByRole('listitem').filter({ hasText: name })
  await drop(page, 'fill.mjs', Buffer.from('export const fill = 1'), 'text/javascript')
  await item('fill.mjs').getByText('Not uploaded: this is not a video or audio file.').waitFor()
  await drop(page, 'empty.mp4', Buffer.alloc(0))
  await item('empty.mp4').getByText('Not uploaded: the file is empty.').waitFor()
  expect(await item('empty.mp4').getByRole('button').count()).toBe(1)
  expect(await filesOf(projectId)).toMatchObject({ TotalCount: 0 })
  await expectSound()
  await drop(page, 'broken.mp4', Buffer.from('no film at all'))
  await item('broken.mp4')
    .getByText(/^Failed: ./)
    .waitFor()
  await drop(page, 'good.mp4', await sampleOf(200_000))
  await item('good.mp4').getByText('Ready').waitFor()
  await item('good.mp4').getByRole('img', { name: 'Ready' }).waitFor()
  await item('good.mp4').locator('.thumb img').waitFor()
  await item('good.mp4').getByRole('button', { name: 'Play good.mp4' }).click()
  const player = page.getByRole('dialog', { name: 'good.mp4' })
  await player.frameLocator('iframe').locator('video').waitFor()
  await page.keyboard.press('Escape')
  await player.waitFor({ state: 'detached' })
  expect(await item('broken.mp4').getByRole('button', { name: 'Play broken.mp4' }).count()).toBe(0)
  await expectSound()
  await item('broken.mp4').getByRole('link', { name: 'broken.mp4' }).click()
  await page.getByRole('button', { name: 'Replace source', exact: true }).click()
  await page.getByRole('dialog', { name: 'Replace source' }).waitFor()
  await close()
})

test('an upload stays paused, moves to another tab, survives a lost connection, and leaves nothing when cancelled', async () => {
  const projectId = await newProject('Tabs')
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`/projects/${projectId}/files`)
  forgive(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/)
  await letThrough(page, /^bytes 0-/)
  await drop(page, 'long.mp4', await sampleOf(4_000_000))
  await page.getByText(/^1 MB of/).waitFor()
  await page.getByRole('button', { name: 'Pause long.mp4' }).click()
  await page.getByText(/^Paused at 1 MB of/).waitFor()
  await page.waitForFunction(bytesAreKept)

  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByRole('row', { name: /long/ }).waitFor()
  expect(await other.getByRole('region', { name: 'Uploads' }).count()).toBe(0)
  // Moves the pointer off the button, because its tooltip is outside the regions of the page.
  await page.mouse.move(0, 0)
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
  await expectSound()
  await page.close()
  await other.getByText(/^Paused at 1 MB of/).waitFor()

  const sent = await letThrough(other, /^bytes 1/)
  // The server reports a full disk on the next part.
  await other.route('**/uploads/*', (route) =>
    route.request().headers()['content-range']?.startsWith('bytes 2') === true
      ? route.fulfill({
          status: 507,
          json: { error: { type: 'storage_full', message: 'The disk is full.' } },
        })
      : route.fallback(),
  )
  await other.context().setOffline(true)
  await other.getByRole('button', { name: 'Resume long.mp4' }).click()
  const unreachable = other.getByText('The upload resumes automatically.')
  await unreachable.waitFor()
  await other.context().setOffline(false)
  await other.getByText(/^2\.1 MB of/).waitFor()
  expect(sent).toHaveLength(1)
  expect(await unreachable.count()).toBe(0)
  await other.getByText('The disk is full. Retrying automatically.').waitFor()
  await other.getByRole('button', { name: 'Cancel long.mp4' }).click()
  await other.getByText('No files yet').waitFor()
  expect((await filesOf(projectId)).TotalCount).toBe(0)
  await close()
})

const leaveUploadOfOthers = async (): Promise<void> => {
  const open = indexedDB.open('zoetrope-uploads')
  const database = await new Promise<IDBDatabase>((resolve) => {
    open.addEventListener('success', () => resolve(open.result))
  })
  const change = database.transaction(['uploads', 'bytes'], 'readwrite')
  change.objectStore('uploads').put({ id: 'of-others', userId: 999_999, keptAt: Date.now() })
  change.objectStore('bytes').put(new File(['secret'], 'secret.mp4'), 'of-others')
  await new Promise((resolve) => {
    change.addEventListener('complete', resolve)
  })
}

test('signing out during an upload asks first, and removes this upload and those of other users from the computer', async () => {
  const projectId = await newProject('Leaving')
  const as = await newPerson(server, { role: 'Administrator' })
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`/projects/${projectId}/files`, {
    as,
  })
  forgive(/ERR_FAILED|401/)
  await letThrough(page, /^bytes 0-/)
  await drop(page, 'long.mp4', await sampleOf(4_000_000))
  await page.getByText(/^1 MB of/).waitFor()
  await page.getByRole('button', { name: 'Pause long.mp4' }).click()
  await page.waitForFunction(bytesAreKept)
  await page.evaluate(leaveUploadOfOthers)
  await page.reload()
  await page.getByText(/^Paused at 1 MB of/).waitFor()
  // The upload of the other user is gone. Only a reload closes the database connection of the check.
  await page.waitForFunction(bytesAreKept)
  await page.reload()
  await page.getByText(/^Paused at 1 MB of/).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${server.url}/console/profile`)
  await other.getByText(as.email).first().waitFor()

  const signOut = async (): Promise<void> => {
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: '1 unfinished upload' }).waitFor()
  }
  await signOut()
  await expectSound()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText(/^Paused at 1 MB of/).waitFor()
  await signOut()
  await page.getByRole('button', { name: 'Sign out anyway' }).click()
  for (const tab of [page, other]) {
    await tab.getByRole('heading', { name: 'Sign in to Zoetrope' }).waitFor()
    expect(await tab.evaluate(() => indexedDB.databases())).toEqual([])
  }
  await close()
})

test('files are published in bulk, and undo restores the former release status of each', async () => {
  const projectId = await newProject('Bulk')
  await newFiles(projectId, ['One', 'Two', 'Three'], { ReleaseStatus: 'draft' })
  await newFiles(projectId, ['Four'], { ReleaseStatus: 'unpublished' })
  const { page, expectSound, close } = await zoetropeConsole.visit(
    `/projects/${projectId}/files?orderBy=title&sort=asc`,
  )
  const checkbox = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  await checkbox('Four').click()
  await checkbox('Two').click({ modifiers: ['Shift'] })
  await page.getByText('4 files selected').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByText('4 files published.').waitFor()
  expect((await filesOf(projectId, 'releaseStatus=published')).TotalCount).toBe(4)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect((await filesOf(projectId, 'releaseStatus=draft')).TotalCount).toBe(3)
  expect((await filesOf(projectId, 'releaseStatus=unpublished')).TotalCount).toBe(1)

  await checkbox('One').click()
  await page.getByRole('button', { name: 'Organize' }).click()
  await page.getByRole('menuitem', { name: 'Add tags' }).click()
  await page.getByRole('dialog').getByLabel('Tags').fill('summer')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 file updated.').waitFor()
  expect((await filesOf(projectId, 'tag=summer')).TotalCount).toBe(1)

  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('4 files moved to trash.').waitFor()
  expect((await filesOf(projectId)).TotalCount).toBe(0)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  await page.getByRole('checkbox', { name: 'Select One' }).click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await page.getByText('1 file restored.').waitFor()
  await expectSound()
  expect(await filesOf(projectId)).toMatchObject({ TotalCount: 1, Files: [{ Metadata: { Title: 'One' } }] })
  await close()
})

test('selected files are dragged onto another project, and undo brings them back', async () => {
  const from = await newProject('Dragged from')
  const to = await newProject('Dragged to')
  await newFinishedFiles(from, ['One', 'Two', 'Three'])
  const { page, expectSound, close } = await zoetropeConsole.visit(
    `/projects/${from}/files?orderBy=title&sort=asc`,
    { width: 1440, height: 900 },
  )
  const time = page.getByRole('row', { name: /One/ }).locator('time')
  await time.hover()
  const exact = page.getByRole('tooltip')
  await exact.filter({ hasText: /\d{4}/ }).waitFor()
  await page.keyboard.press('Escape')
  await exact.waitFor({ state: 'detached' })
  const target = page.locator('.move-target', { hasText: 'Dragged to' })
  const drag = async (title: string): Promise<void> => {
    const { x = 0, y = 0 } = (await page.getByRole('link', { name: title, exact: true }).boundingBox()) ?? {}
    await page.mouse.move(x + 5, y + 5)
    await page.mouse.down()
    await page.mouse.move(x + 25, y + 15, { steps: 3 })
    await target.waitFor()
  }
  const moveOntoTarget = async (): Promise<string | null> => {
    const box = (await target.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 })
    return target.getAttribute('data-over')
  }
  const dropOnTarget = async (): Promise<void> => {
    // The targets move when the list of projects arrives.
    await expect.poll(moveOntoTarget).toBe('true')
    await page.mouse.up()
  }
  // The rest of a row is text that can be selected.
  const created = page.getByRole('row', { name: 'Three' }).locator('time')
  const { x = 0, y = 0, width = 0, height = 0 } = (await created.boundingBox()) ?? {}
  await page.mouse.move(x + 15, y + height / 2)
  await page.mouse.down()
  const selectTo = async (end: number): Promise<string> => {
    await page.mouse.move(end - 5, y + height / 2)
    await page.mouse.move(end, y + height / 2)
    return page.evaluate(() => String(getSelection()))
  }
  await expect.poll(() => selectTo(x + width - 6)).not.toBe('')
  await page.mouse.up()
  expect(await page.locator('.move-targets').count()).toBe(0)
  await page.evaluate(() => getSelection()?.removeAllRanges())

  await page.getByRole('checkbox', { name: 'Select One' }).click()
  await page.getByRole('checkbox', { name: 'Select Two' }).click()
  await drag('Two')
  await page.getByText('Move 2 files to').waitFor()
  // The project of the files is no target.
  expect(await page.locator('.move-target', { hasText: 'Dragged from' }).count()).toBe(0)
  await dropOnTarget()
  await page.getByText('2 files moved to “Dragged to”.').waitFor()
  expect([await titlesIn(from), await titlesIn(to)]).toEqual([['Three'], ['One', 'Two']])
  expect(await target.count()).toBe(0)
  await expectSound()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone.').waitFor()
  expect([await titlesIn(from), await titlesIn(to)]).toEqual([['One', 'Three', 'Two'], []])

  // Cards can be dragged, too, also by their picture, and a drop elsewhere moves nothing.
  await page.getByRole('img', { name: 'Grid' }).click()
  const picture = page.getByRole('listitem').filter({ hasText: 'Three' }).locator('.thumb')
  const box = (await picture.boundingBox()) ?? { x: 0, y: 0 }
  await page.mouse.move(box.x + 90, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + 110, box.y + 70, { steps: 3 })
  await target.waitFor()
  await page.mouse.move(900, 600)
  await page.mouse.up()
  await target.waitFor({ state: 'detached' })
  expect(await titlesIn(to)).toEqual([])
  const selected = page.getByRole('checkbox', { name: 'Select One' })
  await selected.click()
  await drag('Three')
  await dropOnTarget()
  await page.getByText('1 file moved to “Dragged to”.').waitFor()
  expect(await selected.isChecked()).toBe(true)
  expect(await titlesIn(to)).toEqual(['Three'])
  await close()
})

test('files move by menu on a phone, and the result names each file that stays', async () => {
  const from = await newProject('Menu from')
  const to = await newProject('Menu to')
  await server.call('PUT', `/projects/${to}`, { body: { TokenSecurity: true } })
  const [first = 0] = await newFinishedFiles(from, ['One', 'Two', 'Three'])
  await newFiles(from, ['Uploading'])
  const { page, expectSound, expectSoundDialog, forgive, close } = await zoetropeConsole.visit(
    `/projects/${from}/files?orderBy=title&sort=asc`,
    { width: 390, height: 844 },
  )
  forgive(/404|409|412/)
  // A file that leaves the list also leaves the selection, which has three files later.
  await page.getByRole('checkbox', { name: 'Select Three' }).click()
  await page.getByRole('button', { name: 'Actions for Three' }).click()
  await page.getByRole('menuitem', { name: 'Move to project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 1 file' })
  const choose = async (name: string): Promise<void> => {
    await page.getByRole('dialog').getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name }).click()
  }
  await choose('Menu to')
  await dialog.getByText(/requires signed links/).waitFor()
  await expectSoundDialog()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await page.getByText('1 file moved to “Menu to”.').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page
    .getByRole('button', { name: 'Close notification' })
    .or(page.locator('.mantine-Notification-closeButton'))
    .first()
    .click()

  // Another user changes a file at the last moment.
  await page.route(`**/files/${first}/move`, async (route) => {
    await server.call('PUT', `/projects/${from}/files/${first}/metadata`, { body: { Genre: 'News' } })
    await route.continue()
  })
  for (const name of ['One', 'Two', 'Uploading'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  await page.getByRole('button', { name: 'Move to project', exact: true }).click()
  await page.getByRole('dialog', { name: 'Move 3 files' }).waitFor()
  await choose('Menu to')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  const notice = page.getByRole('alert').filter({ hasText: 'moved to' })
  await notice.getByText('1 file moved to “Menu to”.').waitFor()
  await notice.getByText('1 file skipped, because it has changed meanwhile:').waitFor()
  await notice.getByRole('listitem').filter({ hasText: /^One$/ }).waitFor()
  await notice
    .getByRole('listitem')
    .filter({ hasText: /^Uploading: ./ })
    .waitFor()
  expect([await titlesIn(from), await titlesIn(to)]).toEqual([
    ['One', 'Uploading'],
    ['Three', 'Two'],
  ])
  await expectSound()

  // A link to the old place leads to the new one.
  await page.goto(`${server.url}/console/projects/${from}/files/${(await filesOf(to)).Files[0].Id}`)
  await page.waitForURL(new RegExp(`/projects/${to}/files/`))
  // The screen of a file moves it, too, and follows it.
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to project' }).click()
  await choose('Menu from')
  await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click()
  await page.waitForURL(new RegExp(`/projects/${from}/files/`))
  // Each of the two moves has an event in both projects.
  await expect.poll(() => page.getByText('Moved to another project').count()).toBe(2)
  await close()
})

test('a thousand files are paged, searched and filtered by the URL, and Back restores the list', async () => {
  const projectId = await newProject('Many')
  const [first = 0] = await newFiles(projectId, ['Number'])
  const { sql } = server.services.database
  await sql`
    insert into media_files (account_id, project_id, original_file_name, use_encoding, encoding_priority, metadata, record)
    select account_id, project_id, 'many.mp4', true, 50, metadata || jsonb_build_object('Title', 'Number ' || n), record
    from media_files, generate_series(1, 999) n where id = ${first}`
  await sql`
    update media_files set record = jsonb_set(jsonb_set(record::jsonb, '{Id}', to_jsonb(id)), '{Metadata,Title}', metadata->'Title')::text
    where project_id = ${projectId}`
  // The first file is in project_counts.
  await sql`update projects set file_count = 999 where id = ${projectId}`

  const { page, expectSound, close } = await zoetropeConsole.visit(`/projects/${projectId}/files`)
  await page.getByText('1–50 of 1,000').waitFor()
  await page.getByRole('link', { name: 'Number 999', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('51–100 of 1,000').waitFor()
  expect(page.url()).toMatch(/page=2&cursor=/)
  await page.getByRole('link', { name: 'Number 949', exact: true }).waitFor()
  await page.goBack()
  await page.getByText('1–50 of 1,000').waitFor()
  const last = page.getByRole('link', { name: 'Number 950', exact: true })
  // Browsers report a scroll with the next frame, and no person clicks before it.
  await last.scrollIntoViewIfNeeded()
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await last.click()
  await page.getByRole('heading', { name: 'Number 950' }).waitFor()
  await page.goBack()
  await last.waitFor()
  await page.waitForFunction(() => scrollY > 500)
  // The keyboard continues in the row of the file.
  await page.locator('tr:focus', { has: last }).waitFor()

  await page.getByRole('searchbox').fill('432')
  await page.getByText('1–1 of 1').waitFor()
  expect(page.url()).toMatch(/search=432/)
  await page.goto(`${server.url}/console/projects/${projectId}/files?page=20&sort=asc&status=created`)
  await page.getByText('951–1,000 of 1,000').waitFor()
  await page.getByRole('button', { name: 'Status Uploading' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all on this page' }).click()
  await page.getByRole('button', { name: 'Select all 1,000 matching files' }).click()
  await page.getByText('1,000 files selected').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Clear selection' }).click()

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Release' }).click()
  await page.getByRole('checkbox', { name: 'Draft' }).click()
  await page.getByText('No matching files').waitFor()
  expect(page.url()).toMatch(/releaseStatus=draft/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByRole('menuitem', { name: 'Save current filters' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('My drafts')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('button', { name: 'Remove filter Status' }).click()
  await page.getByRole('button', { name: 'Remove filter Release' }).click()
  await page.getByText('1–50 of 1,000').waitFor()
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await page.getByRole('menuitem', { name: 'My drafts' }).click()
  await page.getByText('No matching files').waitFor()
  expect(page.url()).toMatch(/status=created&releaseStatus=draft/)
  await expectSound()
  await close()
})

test('files are cards on a phone, in German and dark mode, and a reader sees no forbidden actions', async () => {
  const projectId = await newProject('Urlaub')
  await newFiles(projectId, ['Sommer am See'])
  const { page, expectSound, close } = await zoetropeConsole.visit(`/projects/${projectId}/files`, {
    ...{ role: 'Reader', language: 'de', dark: true, width: 360, height: 740 },
  })
  await page.getByRole('heading', { name: 'Urlaub' }).waitFor()
  await page.getByRole('link', { name: 'Sommer am See' }).waitFor()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Kategorien' }).waitFor()
  await page.keyboard.press('Escape')
  // A selection would have no actions.
  expect(await page.getByRole('checkbox').count()).toBe(0)
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  for (const name of ['Dateien hochladen', 'Veröffentlichung', 'Organisieren', 'Löschen'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)

  // The longest state stays within its card.
  await page.route(/\/files\?/, async (route) => {
    const response = await route.fetch()
    const list = await response.json()
    await route.fulfill({ json: { ...list, Files: [{ ...list.Files[0], Status: 'playable' }] } })
  })
  await page.reload()
  const rightOf = (one: Element): number => {
    const range = document.createRange()
    range.selectNodeContents(one)
    return range.getBoundingClientRect().right
  }
  const card = page.getByRole('listitem').filter({ hasText: 'Abspielbar, Encoding läuft' })
  const state = card.getByText('Abspielbar, Encoding läuft')
  const cardRight = await card.evaluate((one) => one.getBoundingClientRect().right)
  expect(await state.evaluate(rightOf)).toBeLessThan(cardRight)
  await close()
})

test('a project that does not exist shows the error and offers no upload', async () => {
  const { page, close } = await zoetropeConsole.visit('/projects/999999/files')
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0)
  await close()
})

test('the trash shows when each file was deleted and when it is deleted for good, to readers, too', async () => {
  const made = await server.call('POST', '/projects', { body: { Name: 'Old films' } })
  const url = `/projects/${made.body.Id}/files`
  const file = await server.call('POST', url, { body: { FileName: 'old.mp4', FileSize: 10 } })
  await server.call('DELETE', `${url}/${file.body.Id}`)
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit(`${url}?trash=1`, {
    role: 'Reader',
  })
  forgive(/404/)
  await page.getByRole('columnheader', { name: 'Deleted for good' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Status' }).count()).toBe(0)
  await page.getByRole('row', { name: /old.* (now|ago) in \d+ days/ }).waitFor()
  expect(await page.getByText('You can restore').count()).toBe(0)
  await expectSound()
  await page.getByRole('radio', { name: 'Grid' }).check({ force: true })
  const card = page.getByRole('list', { name: 'Files' }).getByRole('listitem')
  await card.getByText(/^Deleted for good: in \d+ days/).waitFor()
  expect(await card.getByText('Not published').count()).toBe(0)
  await expectSound()
  await page.goto(`${new URL(page.url()).origin}/console${url}/${file.body.Id}`)
  await page.getByText(/^This file is in the trash until .*\d{4}/).waitFor()
  expect(await page.getByRole('button', { name: 'Restore' }).count()).toBe(0)
  await close()
})

test.each([
  { width: 1024, titleWidth: 120 },
  { width: 1280, titleWidth: 200 },
])('tables fit a screen of $width px, and the library leaves room for titles', async (size) => {
  const { width, titleWidth } = size
  const projectId = await newProject(`Fitting ${width}`)
  await newFinishedFiles(projectId, [`A long title of a recording ${'of a session '.repeat(8)}`])
  const screens = ['/projects', '/users', '/api-keys', '/usage', `/projects/${projectId}/files`]
  const { page, close } = await zoetropeConsole.visit('/projects', { width, height: 800, language: 'de' })
  for (const path of screens) {
    await page.goto(`${server.url}/console${path}`)
    await page.locator('.data-table tbody tr:not([aria-hidden])').first().waitFor()
    // The page itself has nothing to scroll either, such as hidden texts of columns out of view.
    await expect
      .poll(
        () =>
          page.evaluate(() =>
            [document.documentElement, ...document.querySelectorAll('.data-table')]
              .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
              .map(({ className }) => className),
          ),
        { message: path },
      )
      .toEqual([])
  }
  const title = await page.locator('.file-title').boundingBox()
  expect(title?.width).toBeGreaterThan(titleWidth)
  await page.getByRole('columnheader', { name: 'Erstellt' }).waitFor()
  expect(await page.getByRole('columnheader', { name: 'Größe' }).count()).toBe(width < 1280 ? 0 : 1)
  // Cards on phones show two lines of it.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await page.locator('.file-title').boundingBox())?.height).toBeGreaterThan(30)
  await close()
})

test('Shift+X selects a range, and the keyboard focus stays on the screen when the selected files are deleted', async () => {
  const projectId = await newProject('Keyboard')
  await newFiles(projectId, ['A', 'B', 'C', 'D'])
  const path = `/projects/${projectId}/files?orderBy=title&sort=asc`
  const { page, close } = await zoetropeConsole.visit(path)
  await page.locator('tbody tr', { has: page.getByRole('link', { name: 'A' }) }).focus()
  await page.keyboard.press('x')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+X')
  await page.getByText('3 files selected').waitFor()
  await page.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('3 files moved to trash.').waitFor()
  await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
  await page.locator('main :focus').waitFor()
  await close()
})
