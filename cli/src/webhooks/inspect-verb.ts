import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Command, LocalContext } from '../command.ts'
import { numberOption, textOption } from '../options.ts'
import { UsageError } from '../usage-error.ts'
import { inspectRequest } from './inspect-request.ts'
import { secretOption } from './listen-verb.ts'

const defaultPort = 8090

const listenOn = async (server: Server, port: number): Promise<number> => {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new UsageError(
      `Cannot use port ${port} (${reason}). Choose another with --port, or 0 for any free port.`,
    )
  }
  return (server.address() as AddressInfo).port
}

const inspect = async ({ output, options }: LocalContext): Promise<void> => {
  const port = numberOption(options, 'port', { from: 0, to: 65_535, otherwise: defaultPort })
  const answer = numberOption(options, 'answer', { from: 200, to: 599, otherwise: 204 })
  const secret = secretOption(options)
  const server = createServer((request, response) => {
    inspectRequest(request, secret)
      .then(({ record, text }) => {
        output.entry({ ...record, Answer: answer }, `${text}\nanswered ${answer}\n`)
        response.writeHead(answer).end()
      })
      .catch((error: unknown) => {
        const text = `${request.method} ${request.url}\nno response: ${(error as Error).message}\n`
        output.entry({ Method: request.method, URL: request.url, Error: (error as Error).message }, text)
        response.destroy()
      })
  })
  const url = `http://127.0.0.1:${await listenOn(server, port)}/`
  const checking =
    secret === undefined ? 'signatures are not checked without --secret' : 'checking signatures'
  output.entry({ URL: url }, `Receiving at ${url}, ${checking}. Press Ctrl-C to stop.\n`)
  await once(server, 'close')
}

export const inspectVerb: Command = {
  isLocal: true,
  usage: '[--port <n>] [--secret <text>] [--answer <status>]',
  summary: 'Receive webhooks on this machine and show each request',
  details: `A test receiver on 127.0.0.1. It shows whether the signature is valid and, if not,
why, the headers, and the formatted body. It accepts any path and query.

  ./zoetrope webhooks inspect --secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
  ./zoetrope webhooks listen --forward-to http://127.0.0.1:${defaultPort} --secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`,
  positionals: [],
  options: {
    port: textOption(`default ${defaultPort}; 0: any free port`),
    secret: textOption('secret of the webhook, or of `webhooks listen`'),
    answer: textOption('HTTP status to return; default 204. Use 500 to see how deliveries are retried'),
  },
  run: inspect,
}
