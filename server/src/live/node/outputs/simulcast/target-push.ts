import { setTimeout as delay } from 'node:timers/promises'
import { publishTo, RtmpError, type MediaMessage, type RtmpAddress, type RtmpPush } from '@zoetrope/rtmp'
import type { Dial, DialTarget } from '../../../../platform/outbound/guarded-dialler.ts'
import { OutboundError } from '../../../../platform/outbound/outbound-error.ts'
import { createBackOff } from '../../connections/back-off.ts'
import type { StreamStart } from './stream-start.ts'

export interface TargetState {
  readonly state: 'connecting' | 'online' | 'waiting'
  /** Reason of the last failure, or a note that frames are dropped; contains no secrets. */
  readonly message: string | null
  /** True after a failed attempt; false when it waits because the publisher left. */
  readonly hasFailed: boolean
  readonly restartCount: number
}

export interface TargetPushOptions {
  readonly target: DialTarget
  readonly address: RtmpAddress
  readonly start: StreamStart
  readonly dial: Dial
  readonly onState: (state: TargetState) => void
  readonly backOffMs: { readonly first: number; readonly longest: number }
}

export interface TargetPush {
  /** Returns at once. */
  readonly send: (message: MediaMessage) => void
  /** The publisher has left. Its timestamps restart when it returns, and so does the push. */
  readonly onGone: () => void
  readonly stop: () => Promise<void>
}

const startMs = 15_000
/** About ten seconds of a usual stream. Beyond that, frames are dropped up to a key frame. */
const mostWaitingBytes = 8 * 2 ** 20
const resumeBelowBytes = 2 ** 20
const tooSlow = 'The target is too slow for the stream. Some frames are dropped.'
/** A target that reads no byte for this long has failed and is not merely slow. */
const stuckMs = 30_000

export const startTargetPush = (options: TargetPushOptions): TargetPush => {
  const { start } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const backOff = createBackOff(options.backOffMs.first, options.backOffMs.longest)
  let push: RtmpPush | null = null
  /** Whether the target has its configurations and every frame since the last key frame. */
  let isFlowing = false
  let slowSinceMs: number | null = null
  let tries = 0
  let isGone = false
  /** Resolved while the publisher is present. */
  let wake = Promise.withResolvers<void>()

  const onState = (state: TargetState['state'], message: string | null, hasFailed = false): void =>
    options.onState({ state, message, hasFailed, restartCount: Math.max(0, tries - 1) })

  const untakenCodec = (to: RtmpPush): string | null => {
    const codecs = [start.video?.codec, start.audio?.codec].filter((codec) => codec !== undefined)
    return codecs.find((codec) => !to.takes(codec)) ?? null
  }

  const supply = async (): Promise<void> => {
    tries++
    onState('connecting', null)
    const socket = await options.dial(options.target, signal)
    const hangUp = (): void => void socket.destroy()
    signal.addEventListener('abort', hangUp, { once: true })
    const opened = await publishTo(socket, options.address, { startMs }).finally(() =>
      signal.removeEventListener('abort', hangUp),
    )
    const untaken = untakenCodec(opened)
    if (untaken !== null) {
      opened.close()
      throw new RtmpError(
        'unsupported',
        `The stream has ${names[untaken] ?? untaken}, which the target does not announce. It can only receive H.264 and AAC.`,
      )
    }
    const beganAtMs = performance.now()
    const onAbort = (): void => opened.close()
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    isFlowing = false
    slowSinceMs = null
    push = opened
    onState('online', null)
    const reason = await opened.ended
    signal.removeEventListener('abort', onAbort)
    push = null
    backOff.held(performance.now() - beganAtMs)
    throw new RtmpError('refused', reason)
  }

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      // Connects only when there is something to send.
      await wake.promise
      if (signal.aborted) return
      isGone = false
      try {
        await supply()
      } catch (error) {
        if (signal.aborted) return
        if (isGone) {
          onState('waiting', 'The publisher has disconnected.')
          continue
        }
        const isExpected = error instanceof RtmpError || error instanceof OutboundError
        const reason = isExpected ? error.message : 'The push failed.'
        onState('waiting', reason, true)
      }
      await delay(backOff.failed(), null, { signal }).catch(() => {})
    }
  }
  const done = run()

  const isBehind = (to: RtmpPush): boolean => {
    const waitingBytes = to.waitingBytes()
    if (slowSinceMs === null) {
      if (waitingBytes <= mostWaitingBytes) return false
      slowSinceMs = performance.now()
      isFlowing = false
      onState('online', tooSlow)
    }
    if (waitingBytes < resumeBelowBytes) {
      slowSinceMs = null
      onState('online', null)
      return false
    }
    if (performance.now() - slowSinceMs > stuckMs) to.close()
    return true
  }

  return {
    send: (message) => {
      wake.resolve()
      if (push === null || isBehind(push)) return
      if (isFlowing) return push.send(message)
      if (!start.beginsWith(message)) return
      isFlowing = true
      for (const first of start.messages) push.send(first)
      push.send(message)
    },
    onGone: () => {
      isGone = true
      wake = Promise.withResolvers<void>()
      push?.close()
    },
    stop: async () => {
      stopping.abort()
      wake.resolve()
      await done
    },
  }
}

const names: Readonly<Record<string, string>> = { hvc1: 'HEVC', av01: 'AV1', vp09: 'VP9', Opus: 'Opus' }
