import type { FastifyRequest } from 'fastify'
import type { Tx } from '../../../platform/db/database.ts'
import { isMailLanguage, type MailLanguage } from '../../../platform/mail/mail-kinds.ts'
import type { MailQueue } from '../../../platform/mail/mail-queue.ts'
import type { KnownDevices } from '../authentication/known-device.ts'
import type { SessionCookies } from '../authentication/session-cookie.ts'

/** Runs in the transaction that starts the session. */
export type MailNewSignIn = (
  tx: Tx,
  request: FastifyRequest,
  user: {
    readonly id: number
    readonly account_id: number
    readonly email: string
    readonly password_hash: string | null
  },
) => Promise<void>

const maxBrowserLength = 200

/** Returns the first language of the header that e-mails have. */
export const languageOf = (acceptLanguage: string | undefined): MailLanguage | null =>
  (acceptLanguage ?? '')
    .split(',')
    .map((range) => range.trim().slice(0, 2).toLowerCase())
    .find(isMailLanguage) ?? null

/** Notifies the user of a sign-in in a browser without their device cookie, in the language of the browser. */
export const createMailNewSignIn =
  ({
    mails,
    cookies,
    devices,
    publicUrl,
  }: {
    readonly mails: MailQueue
    readonly cookies: SessionCookies
    readonly devices: KnownDevices
    readonly publicUrl: string
  }): MailNewSignIn =>
  async (tx, request, user) => {
    if (!mails.isOn) return
    const { 'user-agent': userAgent = '', 'accept-language': acceptLanguage, cookie } = request.headers
    const language = languageOf(acceptLanguage)
    if (language !== null)
      await tx
        .updateTable('users')
        .set({ language })
        .where('account_id', '=', user.account_id)
        .where('id', '=', user.id)
        .where('language', 'is distinct from', language)
        .execute()
    const mark = cookies.deviceOf(cookie)
    const owner = { email: user.email, passwordHash: user.password_hash }
    if (mark !== null && devices.isMarkFor(mark, owner)) return
    await mails.add(tx, {
      accountId: user.account_id,
      to: { email: user.email, language },
      kind: 'new-sign-in',
      params: {
        at: new Date().toISOString(),
        address: request.ip,
        browser: userAgent.slice(0, maxBrowserLength),
        link: `${publicUrl}/console/security`,
      },
    })
  }
