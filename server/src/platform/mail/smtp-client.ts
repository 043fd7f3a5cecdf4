import { createTransport } from 'nodemailer'
import { MailRefusedError } from './mail-refused-error.ts'
import type { RenderedMail } from './render-mail.ts'

export interface SmtpSettings {
  readonly url: string
  readonly from: string
}

export interface SmtpClient {
  /** `id` makes the Message-ID, so that a server or reader recognizes a repetition. */
  readonly send: (to: string, mail: RenderedMail, id: string) => Promise<void>
  /** Connects and signs in. */
  readonly verify: () => Promise<void>
  readonly close: () => void
}

const timeouts = {
  connectionTimeout: 15_000,
  greetingTimeout: 15_000,
  socketTimeout: 60_000,
  dnsTimeout: 15_000,
}

/** A percent sign need not be encoded. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Responses of a server can repeat what it was sent. */
const withoutCredentials = (message: string, url: string): string => {
  const { username, password } = new URL(url)
  return [password, decoded(password), username, decoded(username)]
    .filter((secret) => secret !== '')
    .reduce((text, secret) => text.replaceAll(secret, '…'), message)
}

const senderDomain = (from: string): string => /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost'

export const createSmtpClient = ({ url, from }: SmtpSettings): SmtpClient => {
  const transport = createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  const explain = (error: unknown): never => {
    const { message, responseCode } = error as Error & { responseCode?: number; command?: string }
    const text = withoutCredentials(message, url)
    const isFinal =
      responseCode !== undefined && responseCode >= 550 && responseCode <= 554 && responseCode !== 552
    throw isFinal ? new MailRefusedError(text) : new Error(text)
  }
  return {
    send: async (to, { subject, text, html }, id) => {
      await transport
        .sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${id}@${senderDomain(from)}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        .catch(explain)
    },
    verify: async () => {
      await transport.verify().catch(explain)
    },
    close: () => transport.close(),
  }
}
