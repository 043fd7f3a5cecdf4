import type { AddressInfo } from 'node:net'
import { Secret, TOTP } from 'otpauth'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mailFullProjects } from '../src/library/projects/mail-full-projects.ts'
import { disableWebhook } from '../src/notifications/webhooks/store/disable-webhook.ts'
import { request, startTestServer, type Answer, type TestServer } from './support/test-server.ts'
import { waitFor } from './support/wait-for.ts'
import { checkMail } from '../src/app/commands/doctor/check-mail.ts'
import { mailCommand } from '../src/app/commands/mail-command.ts'
import { expectProblem } from '../src/platform/http/test-support/expect-problem.ts'
import { keepHouse } from '../src/platform/jobs/housekeeping.ts'
import { mailHousekeeping } from '../src/platform/mail/housekeeping.ts'
import { renderMail } from '../src/platform/mail/render-mail.ts'

interface Received {
  readonly from: string
  readonly to: string
  /** The parts, decoded. */
  readonly text: string
}

const decoded = (raw: string): string =>
  raw
    .replaceAll('=\r\n', '')
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString())

const received: Received[] = []
let refusal: { readonly code: number; readonly text: string } | null = null
const smtp = new SMTPServer({
  authOptional: false,
  allowInsecureAuth: true,
  hideSTARTTLS: true,
  onAuth: ({ username, password }, _session, callback) =>
    username === 'zoe' && password === 's3cret-pässword'
      ? callback(null, { user: username })
      : callback(new Error('Invalid username or password')),
  onRcptTo: (_address, _session, callback) =>
    refusal === null
      ? callback()
      : callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
  onData: (stream, session, callback) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address).join(),
        text: decoded(Buffer.concat(chunks).toString()),
      })
      callback()
    })
  },
})
let server: TestServer
let smtpUrl: string

const mailTo = async (email: string, part = ''): Promise<Received> => {
  const matching = async () => received.filter(({ to, text }) => to === email && text.includes(part))
  const [mail] = await waitFor(matching, ({ length }) => length > 0)
  return mail as Received
}

beforeAll(async () => {
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  smtpUrl = `smtp://zoe:${encodeURIComponent('s3cret-pässword')}@127.0.0.1:${port}`
  server = await startTestServer({
    withWorker: true,
    environment: {
      ZOETROPE_SMTP_URL: smtpUrl,
      ZOETROPE_MAIL_FROM: 'Zoetrope <video@example.com>',
      ZOETROPE_SIGN_INS_PER_MINUTE: '1000',
    },
  })
})

beforeEach(() => {
  refusal = null
})

afterAll(async () => {
  await server.stop()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})

const tokenIn = (text: string): string => /\/accept#([\w-]{43})/.exec(text)?.[1] ?? ''
const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  request(`${server.url}/v3${path}`, 'POST', { body, headers: { Origin: server.url, ...headers } })
const german = { 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.5' }
const reset = (Email: string) => post('/session/passwordreset', { Email })
const rows = () => server.services.database.kysely.selectFrom('mails').selectAll().orderBy('id').execute()

/** Invites a person and accepts in a browser with this language. */
const person = async (email: string, headers: Record<string, string> = german): Promise<Answer> => {
  const made = await server.call('POST', '/invitations', { body: { Email: email, Role: 'Reader' } })
  const { body } = made
  return post('/session/invitation', { Token: body.Token, Password: 'three quiet lighthouses' }, headers)
}

test('an invitation is sent as text and HTML, with a link that works', async () => {
  const made = await server.call('POST', '/invitations', {
    body: { Email: 'new@example.com', Role: 'Reader' },
  })
  expect(made.body.IsMailed).toBe(true)
  const mail = await mailTo('new@example.com')
  expect(mail.from).toBe('video@example.com')
  expect(mail.text).toMatch(/^From: Zoetrope <video@example\.com>/m)
  expect(mail.text).toMatch(/^Auto-Submitted: auto-generated/m)
  expect(mail.text).toMatch(/Content-Type: text\/plain/)
  expect(mail.text).toMatch(/Content-Type: text\/html/)
  expect(tokenIn(mail.text)).toBe(made.body.Token)
  const accepted = await post('/session/invitation', {
    Token: tokenIn(mail.text),
    Password: 'three quiet lighthouses',
  })
  expect(accepted.status).toBe(201)
  const [row] = await waitFor(rows, ([first]) => first?.state === 'sent')
  expect(row).toMatchObject({ sealed_params: null, last_error: null, attempts: 1 })
})

describe('a password reset', () => {
  test('is requested by address, and the link sets a new password', async () => {
    await person('reset@example.com')
    const answer = await reset('Reset@Example.com')
    expect(answer).toMatchObject({ status: 200, body: { IsAccepted: true } })
    const mail = await mailTo('reset@example.com', '/accept#')
    const second = await reset('reset@example.com')
    expect(second.body).toEqual(answer.body)
    const newer = await waitFor(
      async () => received.filter(({ to, text }) => to === 'reset@example.com' && tokenIn(text) !== ''),
      ({ length }) => length === 3,
    )
    const token = tokenIn(newer.at(-1)?.text ?? '')
    const Password = 'a ferry on the ninth wave'
    // The invitation was accepted, and a newer link replaces an earlier one.
    expectProblem(await post('/session/invitation', { Token: tokenIn(mail.text), Password }), 'not_found')
    expect((await post('/session/invitation', { Token: token, Password })).status).toBe(201)
    expectProblem(await post('/session/invitation', { Token: token, Password }), 'not_found')
    expect((await post('/session', { Email: 'reset@example.com', Password })).status).toBe(201)
  })

  test('gives the same answer for unknown addresses, and sends nothing', async () => {
    const { body: user } = await server.call('POST', '/users', {
      body: { Email: 'without-password@example.com', Role: 'Reader' },
    })
    expect(user.HasPassword).toBe(false)
    const before = (await rows()).length
    for (const email of ['nobody@example.com', 'without-password@example.com'])
      expect(await reset(email)).toMatchObject({ status: 200, body: { IsAccepted: true } })
    await person('later@example.com')
    await mailTo('later@example.com')
    expect((await rows()).slice(before).map(({ recipient }) => recipient)).toEqual(['later@example.com'])
  })

  test('is sent three times an hour at most', async () => {
    await person('flooded@example.com')
    for (let count = 0; count < 6; count += 1) expect((await reset('flooded@example.com')).status).toBe(200)
    await person('after-flood@example.com')
    await mailTo('after-flood@example.com')
    const links = (await rows()).filter(
      ({ recipient, kind }) => recipient === 'flooded@example.com' && kind === 'password-link',
    )
    expect(links).toHaveLength(3)
  })

  test('is refused from another site', async () => {
    const answer = await post(
      '/session/passwordreset',
      { Email: 'a@example.com' },
      { Origin: 'https://evil.example' },
    )
    expectProblem(answer, 'forbidden')
  })
})

test('a sign-in from an unknown browser is reported in the language of the browser, a known one is not', async () => {
  const accepted = await person('kim@example.com')
  const cookies = accepted.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0])
  const device = cookies.find((cookie) => cookie?.startsWith('zoetrope-device=')) ?? ''
  const credentials = { Email: 'kim@example.com', Password: 'three quiet lighthouses' }
  expect((await post('/session', credentials, { ...german, Cookie: device })).status).toBe(201)
  expect((await post('/session', credentials, { ...german, 'User-Agent': 'Firefox/140 <b>' })).status).toBe(
    201,
  )
  const mail = await mailTo('kim@example.com', 'Neue Anmeldung')
  expect(mail.text).toContain('Adresse: 127.0.0.1')
  expect(mail.text).toContain('Firefox/140 &lt;b&gt;')
  expect((await rows()).filter(({ kind }) => kind === 'new-sign-in' && kind.length > 0)).toContainEqual(
    expect.objectContaining({ recipient: 'kim@example.com', language: 'de' }),
  )
  const toKim = (await rows()).filter(
    ({ recipient, kind }) => recipient === 'kim@example.com' && kind === 'new-sign-in',
  )
  expect(toKim).toHaveLength(1)
})

test('the owner of a new key is told about it', async () => {
  const { body: users } = await server.call('GET', '/users?search=kim%40example.com')
  const created = await server.call('POST', '/apikeys', {
    body: { Label: 'Newsroom', UserId: users.Users[0].Id },
  })
  const mail = await mailTo('kim@example.com', 'Newsroom')
  expect(mail.text).toContain('Neuer API-Schlüssel')
  expect(mail.text).not.toContain(created.body.Token)
})

const newPerson = async (email: string) => {
  const accepted = await person(email)
  const Cookie = accepted.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
  const headers = { Cookie, 'X-CSRF-Token': accepted.body.CsrfToken }
  const call = (method: string, path: string, body: object) =>
    request(`${server.url}/v3${path}`, method, { body, headers: { Origin: server.url, ...headers } })
  return { email, call }
}

test('a new password and a new address are reported to their owner, the address to the former one', async () => {
  const { email, call } = await newPerson('moves@example.com')
  const CurrentPassword = 'three quiet lighthouses'
  const NewPassword = 'a ferry on the ninth wave'
  expect((await call('PUT', '/session/password', { CurrentPassword, NewPassword })).status).toBe(200)
  expect((await mailTo(email, 'password of your user account was changed')).text).toContain(
    'address: 127.0.0.1',
  )

  await reset(email)
  const Token = tokenIn((await mailTo(email, 'can set a new password')).text)
  expect((await post('/session/invitation', { Token, Password: CurrentPassword })).status).toBe(201)
  const changes = async () =>
    (await rows()).filter(({ recipient, kind }) => recipient === email && kind === 'password-changed')
  expect(await changes()).toHaveLength(2)

  const { body } = await server.call('GET', `/users?search=${email}`)
  const Email = 'moved@example.com'
  const { Id } = body.Users[0]
  expect((await server.call('PUT', `/users/${Id}`, { body: { Email, Name: 'Mo' } })).status).toBe(200)
  const mail = await mailTo(email, 'The e-mail address of your user account was changed')
  expect(mail.text).toContain('changed the e-mail address of your user account to moved@example.com')
  expect((await server.call('PUT', `/users/${Id}`, { body: { Email, Name: 'Moe' } })).status).toBe(200)
  expect((await rows()).filter(({ kind }) => kind === 'email-changed')).toHaveLength(1)
})

describe('second factors', () => {
  const addApp = async ({ call }: Awaited<ReturnType<typeof newPerson>>) => {
    const { body } = await call('POST', '/session/totp', {})
    const Code = TOTP.generate({ secret: Secret.fromBase32(body.Secret) })
    expect((await call('PUT', '/session/totp', { Code })).status).toBe(200)
  }

  test('that are added are reported to their owner', async () => {
    const app = await newPerson('app@example.com')
    const credentials = { Email: app.email, Password: 'three quiet lighthouses' }
    expect((await post('/session', credentials, german)).status).toBe(201)
    await addApp(app)
    const mail = await mailTo(app.email, 'eine Authenticator-App hinzugefügt')
    expect(mail.text).toContain('Adresse: 127.0.0.1')
    expect(mail.text).toContain(`${server.url}/console/security`)
  })

  test('that an attacker guesses are reported once, after five wrong codes', async () => {
    const { email, call } = await newPerson('guessed@example.com')
    await addApp({ email, call })
    const begun = await post('/session', { Email: email, Password: 'three quiet lighthouses' })
    const headers = { Cookie: begun.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
    const guess = async () => (await post('/session/factor', { Code: '000000' }, headers)).status
    const warnings = async () =>
      (await rows()).filter(({ recipient, kind }) => recipient === email && kind === 'codes-refused').length
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([401, 401, 401, 401])
    expect(await warnings()).toBe(0)
    expect(await guess()).toBe(401)
    expect(await warnings()).toBe(1)
    expect((await mailTo(email, 'Five wrong codes')).text).toContain('IP address: 127.0.0.1')
    await server.services.database.kysely
      .updateTable('sign_in_attempts')
      .set((set) => ({ blocked_until: set.ref('last_attempt_at') }))
      .execute()
    expect((await call('POST', '/session/confirmation', { Code: '000000' })).status).toBe(400)
    expect(await warnings()).toBe(1)
  })
})

test('a mail that waits for a week is marked as failed, and its link is deleted', async () => {
  const { database } = server.services
  refusal = { code: 451, text: 'Try later' }
  await server.call('POST', '/invitations', { body: { Email: 'stuck@example.com', Role: 'Reader' } })
  const ofStuck = database.kysely.selectFrom('mails').selectAll().where('recipient', '=', 'stuck@example.com')
  await waitFor(
    () => ofStuck.executeTakeFirstOrThrow(),
    ({ last_error }) => last_error !== null,
  )
  const age = (days: number) => database.sql`
    update mails set created_at = now() - make_interval(hours => ${days * 24}::int)
    where recipient = 'stuck@example.com'`
  await age(6)
  await keepHouse(mailHousekeeping(database))
  expect((await ofStuck.executeTakeFirstOrThrow()).state).toBe('waiting')
  await age(8)
  await keepHouse(mailHousekeeping(database))
  expect(await ofStuck.executeTakeFirstOrThrow()).toMatchObject({ state: 'failed', sealed_params: null })
})

test('the Administrators are told about a disabled webhook and a full project, once', async () => {
  const { database, mails } = server.services
  const targetUrl = 'https://hooks.example.com/a'
  const { body: webhook } = await server.call('POST', '/modules/notifications', {
    body: { TargetURL: targetUrl, EventTypes: ['file.new'] },
  })
  const dependencies = { database, mails, publicUrl: server.url }
  await disableWebhook(dependencies, { webhookId: webhook.Id, targetUrl, reason: 'It answered 410.' })
  const mail = await mailTo('admin@zoetrope.local', 'hooks.example.com')
  expect(mail.text).toContain('It answered 410.')
  const { body: project } = await server.call('POST', '/projects', {
    body: { Name: 'Archive', StorageQuotaBytes: 1_000 },
  })
  const countMails = async () => (await rows()).filter(({ kind }) => kind === 'quota-reached').length
  await mailFullProjects(database, dependencies)
  expect(await countMails()).toBe(0)
  await database.kysely
    .updateTable('projects')
    .set({ storage_bytes: 950 })
    .where('id', '=', project.Id)
    .execute()
  await mailFullProjects(database, dependencies)
  await mailFullProjects(database, dependencies)
  expect(await countMails()).toBe(1)
  expect((await mailTo('admin@zoetrope.local', 'Archive')).text).toContain('quota of 0.00 GB')
})

test('a mail is repeated after a temporary failure, and given up after a permanent one', async () => {
  refusal = { code: 451, text: 'Try later, zoe s3cret-pässword' }
  await server.call('POST', '/invitations', { body: { Email: 'greylist@example.com', Role: 'Reader' } })
  const of = async (email: string) => (await rows()).find(({ recipient }) => recipient === email)
  const failing = await waitFor(
    () => of('greylist@example.com'),
    (row) => row?.last_error != null,
  )
  expect(failing).toMatchObject({ state: 'waiting' })
  expect(failing?.last_error).not.toMatch(/zoe|s3cret/)
  refusal = null
  await mailTo('greylist@example.com')
  refusal = { code: 550, text: 'No such user' }
  await server.call('POST', '/invitations', { body: { Email: 'gone@example.com', Role: 'Reader' } })
  const failed = await waitFor(
    () => of('gone@example.com'),
    (row) => row?.state === 'failed',
  )
  expect(failed).toMatchObject({ sealed_params: null, last_error: expect.stringContaining('No such user') })
})

test('doctor signs in to the SMTP server and reports failed mails', async () => {
  const { config, database } = server.services
  const [connection, failed] = await checkMail(config, database.connection)
  expect(connection).toMatchObject({ Check: 'E-mail', Status: 'ok' })
  expect(failed).toMatchObject({ Status: 'warning', Message: expect.stringContaining('No such user') })
  const wrong = { ...config, smtp: { url: smtpUrl.replace('s3cret', 'wr0ng'), from: 'a@example.com' } }
  const [refused] = await checkMail(wrong, null)
  expect(refused).toMatchObject({ Status: 'failed', Message: expect.stringContaining('Invalid') })
  expect(refused?.Message).not.toContain('wr0ng')
  expect(await checkMail({ ...config, smtp: null }, null)).toEqual([])
})

test('mail test sends a message with the settings', async () => {
  const results: string[] = []
  const output = { result: (_: unknown, text: string) => results.push(text) } as never
  const env = {
    ZOETROPE_DATA: server.dataFolder,
    ZOETROPE_SMTP_URL: smtpUrl,
    ZOETROPE_MAIL_FROM: 'video@example.com',
  }
  await mailCommand(['test', 'operator@example.com'], output, env)
  expect((await mailTo('operator@example.com')).text).toContain('Test message from Zoetrope')
  expect(results.join()).not.toContain('s3cret')
  await expect(mailCommand(['test'], output, env)).rejects.toThrow(/Usage/)
  await expect(mailCommand(['test', 'x'], output, env)).rejects.toThrow(/not an e-mail address/)
  await expect(
    mailCommand(['test', 'a@example.com'], output, { ZOETROPE_DATA: server.dataFolder }),
  ).rejects.toThrow(/ZOETROPE_SMTP_URL is not set/)
})

test('names of users stay text, in one line', () => {
  const { subject, text, html } = renderMail('invitation', 'en', {
    account: 'Evil\r\nBcc: all@example.com <script>',
    inviter: 'x'.repeat(500),
    link: 'https://video.example.com/accept#a&b"c',
    expiresAt: '2026-03-01T12:00:00.000Z',
  })
  expect(subject).not.toMatch(/[\r\n]/)
  expect(html).not.toContain('<script>')
  expect(html).toContain('accept#a&amp;b&quot;c')
  expect(text).toContain('March 1, 2026')
  expect(text).not.toContain('x'.repeat(201))
  for (const inviter of ['2026-99-99T99:99:99.999Z', '2026-01-01T00:00:00 Kim']) {
    const values = { account: 'a', inviter, link: 'https://a.example', expiresAt: '2026-03-01T12:00:00.000Z' }
    expect(renderMail('invitation', 'en', values).text).toContain(inviter)
  }
})
