import { loadConfig } from '../config/config.ts'
import { ConfigError } from '../config/settings/setting.ts'
import type { CommandOutput } from './command-output.ts'

const usage = 'Usage: ./zoetrope mail test <address>'
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** Sends a message with the settings of this machine, without the queue. */
export const mailCommand = async (
  positionals: readonly string[],
  output: CommandOutput,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const [verb, address, extra] = positionals
  if (verb !== 'test' || address === undefined || extra !== undefined) throw new ConfigError(usage)
  if (!emailPattern.test(address)) throw new ConfigError(`"${address}" is not an e-mail address.\n${usage}`)
  const { smtp } = loadConfig(env)
  if (smtp === null)
    throw new ConfigError(
      'ZOETROPE_SMTP_URL is not set. Set it to the SMTP server, such as smtps://user:password@mail.example.com.',
    )
  const [{ createSmtpClient }, { renderMail }] = await Promise.all([
    import('../../platform/mail/smtp-client.ts'),
    import('../../platform/mail/render-mail.ts'),
  ])
  const client = createSmtpClient(smtp)
  const host = new URL(smtp.url).host
  try {
    await client.send(address, renderMail('test', 'en', { host }), crypto.randomUUID())
  } catch (error) {
    throw new ConfigError(`${host} did not take the message: ${(error as Error).message}`)
  } finally {
    client.close()
  }
  output.result({ Address: address, Host: host }, `${host} took the message to ${address}.\n`)
}
