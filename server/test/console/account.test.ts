import { permissions } from '@zoetrope/vocabulary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { permissionsIn, scopesFor } from '../../../console/src/account/keys/scopes.ts'
import { browserOf } from '../../../console/src/account/browser-name.ts'
import { newPerson } from '../../src/accounts/identity/test-support/people.ts'
import {
  startIdentityProvider,
  testAudience,
  testClient,
  type TestIdentityProvider,
} from '../../src/accounts/partners/test-support/identity-provider.ts'
import { request, startTestServer, type TestServer } from '../support/test-server.ts'
import { goodPassword, startConsole, type Console } from './console.ts'

let server: TestServer
let provider: TestIdentityProvider
let zoetropeConsole: Console

beforeAll(async () => {
  server = await startTestServer()
  provider = await startIdentityProvider()
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await provider.close()
  await server.stop()
})

test.each([
  [['*'], permissions, ['*']],
  [['files:*'], permissionsIn(['files:*']), ['files:*']],
  [['*'], permissionsIn(['files:*', 'live:read']), ['files:*', 'live:read']],
  // The result never exceeds the scopes of the key, even when the chosen permissions complete a family.
  [permissionsIn(['audit:*']), ['audit:read'], ['audit:read']],
  [['files:*'], ['files:read'], ['files:read']],
] as const)('a key with %j limited to %j gets the scopes %j', (held, chosen, scopes) => {
  expect(scopesFor(chosen, held)).toEqual(scopes)
})

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge',
    'Windows',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari', 'iOS'],
  ['curl/8.0', null, null],
])('the User-Agent %s is identified', (userAgent, browser, system) => {
  expect(browserOf(userAgent)).toEqual({ browser, system })
})

test('an administrator invites, edits and disables a user, and revokes an invitation', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Newsroom' } })
  const { page, expectSound, close } = await zoetropeConsole.visit('/users')
  const email = `${crypto.randomUUID()}@example.com`
  await page.getByRole('button', { name: 'Invite user' }).click()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Add project' }).click()
  await expectSound()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel(`Link for ${email}`, { exact: true }).inputValue()
  expect(link).toContain('/accept#')
  // The button has the focus, so Enter after the address copies the link.
  await page.keyboard.press('Enter')
  await page.getByText('Link copied.').waitFor()
  const { body: pending } = await server.call('GET', '/invitations?status=pending')
  expect(pending.Invitations[0]).toMatchObject({
    Email: email,
    Role: 'JuniorEditor',
    ProjectRoles: [{ ProjectId: project.Id, Role: 'Reader' }],
  })
  await page.getByRole('button', { name: `Revoke invitation for ${email}` }).click()
  await page.getByRole('button', { name: 'Revoke', exact: true }).last().click()
  await page.getByRole('heading', { name: 'Pending invitations' }).waitFor({ state: 'detached' })
  // No row is left, so the focus goes to the heading of the screen.
  await page.locator('h1:focus').waitFor()
  expect((await server.call('GET', '/invitations?status=pending')).body.TotalCount).toBe(0)

  const person = await newPerson(server, { role: 'Reader' })
  await page.getByRole('searchbox', { name: 'Search users' }).fill(person.email)
  await page.getByRole('row').filter({ hasText: person.email }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Sam Field')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Actions for Sam Field' }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('cell', { name: 'Disabled' }).waitFor()
  const { body: users } = await server.call('GET', `/users?search=${person.email}`)
  expect(users.Users[0]).toMatchObject({ Name: 'Sam Field', IsEnabled: false, Role: 'Reader' })
  expect(page.url()).toContain('search=')
  await expectSound()
  await close()
})

test('a key is created with chosen scopes, works, is rotated and revoked', async () => {
  await server.call('POST', '/apikeys', { body: { Label: 'Nightly import' } })
  const { page, expectSound, close } = await zoetropeConsole.visit('/api-keys')
  await page.getByRole('button', { name: 'Create API key' }).click()
  await page.getByRole('textbox', { name: 'Label' }).fill('Newsroom back end')
  await page.getByRole('radio', { name: 'Selected permissions only' }).click()
  await page.getByRole('checkbox', { name: 'Live live:*' }).click()
  await expectSound()
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByLabel('API key', { exact: true }).waitFor()
  // It is shown once.
  await page.keyboard.press('Escape')
  const token = await page.getByLabel('API key', { exact: true }).inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  const me = await request(`${server.url}/v3/me`, 'GET', { apiKey: token })
  expect(me.body.ApiKey).toMatchObject({ Label: 'Newsroom back end', Scopes: ['files:read', 'live:*'] })

  await page.getByRole('button', { name: 'Actions for Newsroom back end' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await page.getByRole('combobox', { name: 'Old key expires' }).click()
  await page.getByRole('option', { name: 'Immediately' }).click()
  await page.getByRole('button', { name: 'Rotate' }).click()
  const rotated = await page.getByLabel('API key', { exact: true }).inputValue()
  expect(rotated).not.toBe(token)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Actions for Newsroom back end' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Actions for Newsroom back end' }).waitFor({ state: 'detached' })
  // The focus goes to the next row.
  await page.locator('button[aria-label="Actions for Nightly import"]:focus').waitFor()
  const { body } = await server.call('GET', '/apikeys?isRevoked=true&search=newsroom')
  expect(body.ApiKeys.length).toBe(2)
  await expectSound()
  await close()
})

test('a user changes their name and password and ends their other sessions', async () => {
  const person = await newPerson(server)
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/profile', { as: person })
  forgive(/400|401|403/)
  await page.getByRole('textbox', { name: 'Name' }).fill('  Kim Ö. Lee ')
  await page.getByRole('link', { name: 'Playlists' }).first().click()
  await page.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save name' }).click()
  await page.getByText('Saved.').waitFor()
  expect((await person.call('GET', '/me')).body.User.Name).toBe('Kim Ö. Lee')
  const menu = page.getByRole('button', { name: 'User menu' })
  await menu.getByText('Kim Ö. Lee').waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.getByRole('textbox', { name: 'Current password' }).fill(goodPassword)
  await page.getByRole('textbox', { name: 'New password' }).fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  // The field has the message and the focus, so no alert repeats it.
  await page.getByText('must have at least 10 characters').waitFor()
  await page.locator('input[autocomplete=new-password]:focus').waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
  await expectSound()
  await page.getByRole('textbox', { name: 'New password' }).fill('nine green bicycles at dusk')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed').waitFor()
  const signIn = await server.call('POST', '/session', {
    apiKey: null,
    body: { Email: person.email, Password: 'nine green bicycles at dusk' },
  })
  expect(signIn.status).toBe(201)
  await page.reload()
  await page.getByRole('button', { name: /^Sign out / }).click()
  await page.getByRole('button', { name: /^Sign out / }).waitFor({ state: 'detached' })
  expect((await server.call('GET', `/sessions?userId=${signIn.body.User.Id}`)).body.TotalCount).toBe(1)
  await close()
})

test('an identity provider is connected step by step and tested, and its errors are shown', async () => {
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/partners')
  forgive(/400/)
  await page.getByRole('button', { name: 'Okta' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Back' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Other \(OpenID/ })
    .click()
  await page.getByRole('textbox', { name: 'Issuer' }).fill(`${provider.issuer}/other`)
  await page.getByRole('button', { name: 'Check issuer' }).click()
  await page.getByText('The check failed at this step: provider metadata.').waitFor()
  expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0)
  await page.getByRole('textbox', { name: 'Issuer' }).fill(provider.issuer)
  await page.getByRole('button', { name: 'Check issuer' }).click()
  await page.getByText('The key set has a public key.').waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('textbox', { name: 'Client ID' }).fill(testClient.id)
  await page.getByRole('textbox', { name: 'Client secret' }).fill('not the secret')
  await page.getByRole('textbox', { name: 'Scope' }).fill('webhooks/send')
  await page.getByRole('textbox', { name: 'Audience' }).fill(testAudience)
  await page.getByRole('button', { name: 'Test and connect' }).click()
  await page.getByText(/^This value was tested and refused/).waitFor()
  await page.getByRole('textbox', { name: 'Client secret' }).fill(testClient.secret)
  await page.getByRole('button', { name: 'Test and connect' }).click()
  await page.getByRole('heading', { name: 'Let users sign in (optional)' }).waitFor()
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByText('Connected').waitFor()
  const redirect = await page.getByLabel('Redirect URI', { exact: true }).inputValue()
  const { body } = await server.call('GET', '/modules/partners')
  expect(body.IdentityProvider).toMatchObject({ Issuer: provider.issuer, State: 'working' })
  expect(redirect).toBe(body.IdentityProvider.SignIn.RedirectURI)
  await page.getByRole('button', { name: 'Test connection' }).click()
  await page.getByText('Connection test succeeded.').waitFor()
  await page.getByRole('button', { name: 'Create client key' }).click()
  await page.getByLabel('Key set address', { exact: true }).waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
  await page.getByText('Not connected.').waitFor()
  await close()
})

test('failures of the identity provider are shown in German', async () => {
  const path = '/modules/partners/identityprovider'
  const connected = await server.call('PUT', path, {
    body: {
      ...{ Issuer: provider.issuer, ClientId: testClient.id, ClientSecret: testClient.secret },
      ...{ Scope: 'webhooks/send', Audience: testAudience },
    },
  })
  expect(connected.status).toBe(200)
  provider.setClient({ client_secret: 'another', token_endpoint_auth_method: 'client_secret_basic' })
  await server.call('POST', `${path}/test`)
  const { page, expectSound, close } = await zoetropeConsole.visit('/partners', { language: 'de' })
  const refusal = page.getByText(`${provider.issuer}/token hat kein Token ausgestellt: invalid_client`)
  await refusal.waitFor()
  await page.getByRole('button', { name: 'Verbindung testen' }).click()
  await page.getByRole('status').filter({ hasText: 'hat kein Token ausgestellt' }).waitFor()
  expect(await refusal.count()).toBe(2)
  await expectSound()
  await close()
  provider.setClient({
    client_secret: testClient.secret,
    token_endpoint_auth_method: 'client_secret_basic',
  })
  await server.call('DELETE', path)
})

test('the audit log names fields and values as the screens do, in German on a phone', async () => {
  const { body: project } = await server.call('POST', '/projects', { body: { Name: 'Archiv' } })
  await server.call('PUT', `/projects/${project.Id}`, {
    body: { TokenSecurity: true, StorageQuotaBytes: 5_000_000, DefaultReleaseStatus: 'published' },
  })
  const { page, close } = await zoetropeConsole.visit(
    `/audit?subject=Project&subjectId=${project.Id}&action=project.updated`,
    { language: 'de', width: 390, height: 844 },
  )
  await page.getByRole('button', { name: `Projekt ${project.Id}` }).waitFor()
  await page.getByRole('button', { name: /Archiv/, expanded: false }).click()
  const changes = page.locator('.audit-changes')
  await changes.getByText('Speicherkontingent', { exact: true }).waitFor()
  expect(await changes.locator('ins').allTextContents()).toEqual(
    expect.arrayContaining(['Ja', '5 MB', 'Veröffentlicht']),
  )
  // The texts of the filters fit.
  for (const filter of await page.getByRole('combobox').all())
    expect(await filter.evaluate((field) => field.scrollWidth - field.clientWidth)).toBeLessThanOrEqual(0)
  await close()
})

test('the card of a key leaves out what it does not have', async () => {
  const body = { Label: 'Without an end', Scopes: ['files:read'] }
  await server.call('POST', '/apikeys', { body })
  const { page, close } = await zoetropeConsole.visit('/api-keys?search=Without', { width: 390, height: 844 })
  const card = page.getByRole('row').filter({ hasText: 'Without an end' })
  await card.getByRole('cell', { name: 'All projects' }).waitFor()
  expect(await card.locator('td[data-label=Expires]').isVisible()).toBe(false)
  await close()
})

test('the audit log shows each change, and its filters are part of the URL', async () => {
  const { body: user } = await server.call('POST', '/users', {
    body: { Email: `${crypto.randomUUID()}@example.com`, Role: 'Reader' },
  })
  await server.call('PUT', `/users/${user.Id}`, { body: { Role: 'Uploader' } })
  const { page, expectSound, close } = await zoetropeConsole.visit('/audit')
  await page.getByRole('combobox', { name: 'Record type' }).click()
  await page.getByRole('option', { name: 'User' }).click()
  await page.getByRole('button', { name: /User: updated.*Role: Reader → Uploader/ }).click()
  const entry = page.locator('.audit-details')
  await entry.locator('del').getByText('Reader', { exact: true }).waitFor()
  await entry.locator('ins').getByText('Uploader', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('action')).toBe('user.*')
  await expectSound()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectSound()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await entry.getByRole('button', { name: 'All entries of this record' }).click()
  await page.getByRole('button', { name: `Record: User ${user.Id}` }).waitFor()
  await page.getByRole('button', { name: /User: created/ }).waitFor()
  expect(new URL(page.url()).searchParams.get('subjectId')).toBe(String(user.Id))
  await close()
})
