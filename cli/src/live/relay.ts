import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { createRtmpServer, publishTo, type RtmpPush } from '@zoetrope/rtmp'

const startMs = 15_000
const defaultPort = 1935
/** A minute of the pattern: a slower connection cannot show it. */
const mostWaitingBytes = 16 * 2 ** 20

export interface Relay {
  readonly url: string
  /** Resolves with the reason when the ingest closes the connection. */
  readonly ended: Promise<string>
  readonly close: () => Promise<void>
}

const dial = async (url: URL): Promise<Socket> => {
  const socket = connect(Number(url.port || defaultPort), url.hostname.replace(/^\[|\]$/g, ''))
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(startMs) })
  } catch (error) {
    socket.destroy()
    const { code, name } = error as NodeJS.ErrnoException
    throw new Error(
      `Cannot reach the ingest at ${url.host} (${code ?? name}). Check that its port is open from here.`,
      { cause: error },
    )
  }
  return socket
}

/**
 * Forwards the stream of ffmpeg to the ingest. With ffmpeg itself, the stream key would be among its
 * arguments, which all users of this machine can read.
 */
export const openRelay = async (serverUri: string, streamKey: string): Promise<Relay> => {
  const url = new URL(serverUri)
  const address = { app: url.pathname.slice(1), streamName: streamKey, tcUrl: serverUri }
  const push: RtmpPush = await publishTo(await dial(url), address, { startMs })
  const localKey = randomBytes(12).toString('hex')
  const rtmp = createRtmpServer({
    authorize: async ({ streamKey: given }) =>
      given === localKey ? { accept: true } : { refuse: 'Not found.' },
    onPublish: async (session) => {
      for await (const message of session.messages) {
        if (push.waitingBytes() > mostWaitingBytes) {
          push.close()
          return session.close('The connection to the ingest is too slow.')
        }
        push.send(message)
      }
    },
    onError: () => {},
  })
  const server = createServer((socket) => void rtmp.handleSocket(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `rtmp://127.0.0.1:${(server.address() as AddressInfo).port}/live/${localKey}`,
    ended: push.ended,
    close: async () => {
      server.close()
      await rtmp.close('The test has ended.')
      push.close()
      await push.ended
    },
  }
}
