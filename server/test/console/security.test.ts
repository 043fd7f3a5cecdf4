import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newPerson, type Browser } from '../../src/accounts/identity/test-support/people.ts'
import { findFreePort } from '../support/free-port.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { goodPassword, startConsole, type Console } from './console.ts'

let server: TestServer
let zoetropeConsole: Console

beforeAll(async () => {
  const port = await findFreePort()
  server = await startTestServer({
    environment: {
      ZOETROPE_PORT: String(port),
      // Passkeys need a host name.
      ZOETROPE_PUBLIC_URL: `http://localhost:${port}`,
      ZOETROPE_SIGN_INS_PER_MINUTE: '0',
    },
  })
  zoetropeConsole = await startConsole(server)
})

afterAll(async () => {
  await zoetropeConsole.stop()
  await server.stop()
})

/** An authenticator of the device, whose user touches it at once. */
const plugInAuthenticator = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

const forgetUsedCodes = (person: Browser) =>
  server.services.database.kysely
    .updateTable('totp_secrets')
    .set({ last_step: 0 })
    .where('user_id', '=', person.userId)
    .execute()

const makeStale = (person: Browser) =>
  server.services.database.kysely
    .updateTable('sessions')
    .set({ confirmed_at: new Date(0) })
    .where('user_id', '=', person.userId)
    .execute()

const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'User menu' }).click()
  // The sign-in page is loaded anew.
  const loaded = page.waitForEvent('load')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await loaded
}

const saveCodes = async (page: Page): Promise<void> => {
  await page.getByText('Save these codes now.').waitFor()
  // They are shown once, so neither Escape nor the first Enter closes them.
  await page.keyboard.press('Escape')
  expect(await page.getByRole('link', { name: 'Download' }).evaluate((link) => link.matches(':focus'))).toBe(
    true,
  )
  expect(await page.getByRole('dialog').locator('code').count()).toBe(10)
  await page.getByRole('button', { name: 'Done' }).click()
}

test('a user adds a passkey, confirms a sensitive action with it, and signs in with it', async () => {
  const kim = await newPerson(server)
  const { page, expectSound, expectSoundDialog, close, forgive } = await zoetropeConsole.visit('/security', {
    as: kim,
  })
  // The browser reports a request that needs a confirmation as an error.
  forgive(/403/)
  await plugInAuthenticator(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await expectSoundDialog()
  await page.getByRole('button', { name: 'Continue' }).click()
  await saveCodes(page)
  await page.getByRole('button', { name: 'Rename Laptop' }).waitFor()
  await page.getByText(/, signed in .+ with a password, last active/).waitFor()
  await expectSound()

  await makeStale(kim)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByText('Confirm that it is you.').waitFor()
  await page.locator('[role=dialog] input[type=password]:focus').waitFor()
  await expectSoundDialog()
  await page.getByRole('button', { name: 'Use passkey' }).click()
  await saveCodes(page)

  await makeStale(kim)
  await page.getByRole('button', { name: 'Create new codes' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Confirm your identity').waitFor()

  // Escape closes the confirmation, and not the form behind it.
  await page.getByRole('button', { name: 'Add passkey' }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Phone')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Confirm that it is you.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Confirm that it is you.').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Phone')
  await page.keyboard.press('Escape')
  await name.waitFor({ state: 'detached' })

  await signOut(page)
  // The authenticator answers the suggestions of the address field (conditional UI) at once.
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with passkey' }).click()
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  const { body } = await server.call('GET', `/sessions?userId=${kim.userId}`)
  expect(body.Sessions[0].SignInMethod).toBe('Passkey')
  await close()
})

test('a member of an account that requires two factors sets up an app, and signs in with its code', async () => {
  const account = { apiKey: await server.newKey({ inNewAccount: true }) }
  const { page, expectSound, expectSoundDialog, close, forgive } = await zoetropeConsole.visit('/', {
    as: null,
  })
  forgive(/400|401|403/)
  const kim = await newPerson(server, account)
  await server.call('PUT', '/session/policy', { ...account, body: { RequiresTwoFactors: true } })
  const enterPassword = async (): Promise<void> => {
    await page.getByLabel('E-mail address').fill(kim.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await expectSound()
  await enterPassword()
  await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor()
  await expectSound()
  await page.getByRole('button', { name: 'Set up' }).click()
  const secret = await page.getByLabel('Setup key', { exact: true }).inputValue()
  const codeNow = () => TOTP.generate({ secret: Secret.fromBase32(secret) })
  await page.getByRole('img', { name: 'QR code' }).waitFor()
  await expectSoundDialog()
  await page.locator('input[autocomplete=one-time-code]:focus').waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('This value is wrong, has expired or was used before.', { exact: true }).waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill(codeNow())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await saveCodes(page)
  await page.getByRole('button', { name: 'User menu' }).waitFor()

  // Instead of waiting for the next code.
  await forgetUsedCodes(kim)
  await signOut(page)
  await enterPassword()
  await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  await expectSound()
  await page.getByRole('textbox', { name: 'Code' }).fill('000000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('This code is wrong').waitFor()
  await page.getByRole('textbox', { name: 'Code' }).fill(codeNow())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'User menu' }).waitFor()
  await close()
})

test('an administrator requires two factors, and resets those of a member', async () => {
  const account = { apiKey: await server.newKey({ inNewAccount: true }) }
  const kim = await newPerson(server, account)
  const lee = await newPerson(server, { ...account, role: 'Reader' })
  for (const person of [kim, lee]) {
    const { body } = await person.call('POST', '/session/totp')
    const Code = TOTP.generate({ secret: Secret.fromBase32(body.Secret) })
    await person.call('PUT', '/session/totp', { body: { Code } })
  }
  await makeStale(kim)
  const { page, expectSound, close, forgive } = await zoetropeConsole.visit('/users', { as: kim })
  forgive(/403/)
  await page.getByRole('switch', { name: 'Require two factors' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(goodPassword)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('switch', { name: 'Require two factors', checked: true }).waitFor()
  await page.getByRole('row').filter({ hasText: lee.email }).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Reset factors' }).click()
  await page.getByRole('button', { name: 'Reset factors' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: lee.email })
    .getByText('Two factors')
    .waitFor({ state: 'detached' })
  const { body } = await server.call('GET', `/users/${lee.userId}`, account)
  expect(body.HasSecondFactor).toBe(false)
  await expectSound()
  await close()
})
