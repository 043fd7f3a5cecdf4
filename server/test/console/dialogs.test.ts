import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRecords, type Ids } from '../../src/accounts/identity/test-support/records.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console
let ids: Ids

beforeAll(async () => {
  server = await startTestServer()
  zoetropeConsole = await startConsole(server)
  ids = await makeRecords(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

type Role = 'button' | 'menuitem' | 'checkbox' | 'link'
type Press = readonly [role: Role, name: string | RegExp]

/**
 * The dialogs and how to open them, one of each kind. Tests of the other screens cover their own dialogs:
 * inviting, a new key, confirmations, "Show API requests".
 */
const dialogs: readonly (readonly [path: string, ...presses: Press[]])[] = [
  ['/projects', ['button', 'Create project']],
  ['/projects/:projectId/settings', ['button', 'Delete project']],
  ['/projects/:projectId/files', ['button', 'More upload options'], ['menuitem', 'Import from URL']],
  [
    '/projects/:projectId/files',
    ['checkbox', /^Select secret/],
    ['button', 'Organize'],
    ['menuitem', 'Move to category'],
  ],
  ['/projects/:projectId/files/:fileId?tab=captions', ['button', 'Add captions']],
  ['/projects/:projectId/live?part=targets', ['button', 'Edit Secret target']],
  ['/catalog', ['button', /^Delete /]],
  ['/playlists', ['button', 'Create playlist']],
  ['/notifications', ['button', 'Create webhook']],
  ['/notifications/:webhookId', ['link', 'webhook.ping']],
  ['/users?search=secret', ['button', /^Actions for/], ['menuitem', 'Sessions and keys']],
  ['/api-keys?search=secret', ['button', /^Actions for/], ['menuitem', 'Rotate']],
  ['/partners', ['button', /^Keycloak/]],
]

test('every dialog passes the accessibility checks in light and dark mode', async () => {
  const { page, expectSound, expectSoundDialog, forgive, close } = await zoetropeConsole.visit('/projects')
  // The records have no media.
  forgive(/404/)
  let shown = '/projects'
  for (const [pattern, ...presses] of dialogs) {
    const path = pattern.replace(/:(\w+)/g, (_all, name: string) => String(ids[name]))
    if (path !== shown) await page.goto(`${server.url}/console${path}`)
    shown = path
    for (const [role, name] of presses) await page.getByRole(role, { name }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expectSoundDialog()
    // A form begins in a field, and not on the button that closes it.
    if (presses.some(([, name]) => name === 'Create webhook'))
      expect(
        await page.getByRole('textbox', { name: 'Label' }).evaluate((one) => one.matches(':focus')),
      ).toBe(true)
    await dialog.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('main :focus').waitFor()
  }
  await expectSound()
  await close()
})
