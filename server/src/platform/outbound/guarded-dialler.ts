import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { newMessage } from '../base/message.ts'
import type { AllowedAddresses } from './allowed-addresses.ts'
import { describeFailure } from './describe-failure.ts'
import { OutboundError } from './outbound-error.ts'

const connectTimeoutMs = 5_000

export interface DialTarget {
  readonly hostname: string
  readonly port: number
  readonly isTls: boolean
}

/** Returns a connected socket. Throws OutboundError. */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>

/**
 * Dials for protocols other than HTTP. Tries the addresses that the policy allows in order, and verifies
 * certificates against the host name.
 */
export const createGuardedDialler =
  (allowedAddresses: AllowedAddresses): Dial =>
  async (target, signal) => {
    const { hostname, port } = target
    const describe = (error: unknown): OutboundError => {
      if (error instanceof OutboundError) return error
      if (signal.aborted) return new OutboundError('aborted', newMessage('connection_cancelled'))
      return describeFailure(
        timedOut(error),
        new URL(`http://${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`),
      )
    }
    let failure: unknown
    try {
      for (const address of await allowedAddresses(hostname, port)) {
        try {
          return await dialAddress(address, target, signal)
        } catch (error) {
          if (signal.aborted) throw error
          failure = error
        }
      }
    } catch (error) {
      throw describe(error)
    }
    throw describe(failure)
  }

const dialAddress = async (
  address: string,
  { hostname, port, isTls }: DialTarget,
  signal: AbortSignal,
): Promise<Socket> => {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(connectTimeoutMs)])
  const servername = isIP(hostname) === 0 ? { servername: hostname } : {}
  const socket = isTls ? connectTls({ host: address, port, ...servername }) : connect({ host: address, port })
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect', { signal: inTime })
    return socket
  } catch (error) {
    socket.on('error', () => {}).destroy()
    throw error
  }
}

/** An abort without the caller's signal is a timeout. */
const timedOut = (error: unknown): unknown =>
  (error as { name?: string }).name === 'AbortError'
    ? Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })
    : error
