import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { afterAll } from 'vitest'
import {
  createRtmpServer,
  type Authorization,
  type MediaMessage,
  type PublishEnd,
  type PublishRequest,
  type PublishSession,
  type RtmpServer,
  type RtmpServerOptions,
} from '../src/index.ts'

export interface Published {
  readonly session: PublishSession
  readonly messages: MediaMessage[]
}

export interface TestServer {
  readonly rtmp: RtmpServer
  readonly port: number
  readonly requests: PublishRequest[]
  readonly published: Published[]
  readonly errors: unknown[]
  readonly nextEnd: () => Promise<PublishEnd>
}

export const authorizeTestKey = async ({ streamKey }: PublishRequest): Promise<Authorization> =>
  streamKey === 'right-key' ? { accept: true } : { refuse: 'No stream has this key.' }

export const startTestServer = async (
  options: Partial<RtmpServerOptions> = {},
  createListener: (onSocket: (socket: Socket) => void) => Server = createServer,
): Promise<TestServer> => {
  const { authorize = authorizeTestKey, ...others } = options
  const requests: PublishRequest[] = []
  const published: Published[] = []
  const errors: unknown[] = []
  const rtmp = createRtmpServer({
    authorize: (request) => {
      requests.push(request)
      return authorize(request)
    },
    onPublish: async (session) => {
      const messages: MediaMessage[] = []
      published.push({ session, messages })
      for await (const message of session.messages) messages.push(message)
    },
    onError: (error) => errors.push(error),
    ...others,
  })
  const ends: Promise<PublishEnd>[] = []
  const listener = createListener((socket) => void ends.push(rtmp.handleSocket(socket)))
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  afterAll(async () => {
    listener.close()
    await rtmp.close('The test is over.')
  })
  let asked = 0
  return {
    rtmp,
    port: (listener.address() as AddressInfo).port,
    requests,
    published,
    errors,
    nextEnd: async () => {
      if (ends[asked] === undefined) await once(listener, 'connection')
      return ends[asked++]!
    },
  }
}
