import type { ServerResponse } from 'node:http'
import type { LiveGrant } from '../../../playback/live/live-access.ts'
import { tooManyWaiting, type WaitingLimits } from '../../../playback/live/waiting-limits.ts'
import type { LiveChannel } from '../channel/live-channel.ts'

export interface Waiter {
  readonly response: ServerResponse
  readonly grant: LiveGrant
  readonly address: string | null
  readonly untilMs: number
}

interface Group<Question> {
  readonly channelRequests: ChannelRequests<Question>
  readonly question: Question
  readonly waiters: Map<ServerResponse, Waiter>
}

interface ChannelRequests<Question> {
  readonly channel: LiveChannel
  readonly groups: Map<string, Group<Question>>
  readonly unsubscribe: () => void
  waiterCount: number
  isCheckScheduled: boolean
}

export interface BlockedRequests<Question> {
  /** Blocks a request; equal requests have equal keys. Throws 'unavailable' beyond the limits. */
  readonly block: (channel: LiveChannel, key: string, question: Question, waiter: Waiter) => void
  readonly sweep: () => void
  readonly close: () => void
  readonly waiterCount: () => number
}

interface BlockedRequestsOptions<Question> {
  readonly now: () => number
  readonly limits: WaitingLimits
  readonly isWorthWaiting: (channel: LiveChannel, question: Question) => boolean
  readonly release: (channel: LiveChannel, question: Question, waiters: Iterable<Waiter>) => void
  readonly giveUp: (waiters: Iterable<Waiter>) => void
}

/**
 * Blocked requests: one check for all that wait for the same content, no timer, and little memory for each.
 */
export const createBlockedRequests = <Question>(
  options: BlockedRequestsOptions<Question>,
): BlockedRequests<Question> => {
  const { now, limits } = options
  const channels = new Map<LiveChannel, ChannelRequests<Question>>()
  const groupOf = new Map<ServerResponse, Group<Question>>()
  const countOf = new Map<string, number>()

  const countAt = (address: string | null, change: 1 | -1): void => {
    if (address === null) return
    const count = (countOf.get(address) ?? 0) + change
    if (count === 0) countOf.delete(address)
    else countOf.set(address, count)
  }
  const isFull = (channelRequests: ChannelRequests<Question>, address: string | null): boolean =>
    groupOf.size >= limits.total ||
    channelRequests.waiterCount >= limits.perStream ||
    (address !== null && (countOf.get(address) ?? 0) >= limits.perAddress)

  const check = (channelRequests: ChannelRequests<Question>): void => {
    channelRequests.isCheckScheduled = false
    for (const [key, group] of channelRequests.groups)
      if (!options.isWorthWaiting(channelRequests.channel, group.question)) {
        channelRequests.groups.delete(key)
        for (const { response, address } of group.waiters.values()) {
          groupOf.delete(response)
          countAt(address, -1)
        }
        channelRequests.waiterCount -= group.waiters.size
        options.release(channelRequests.channel, group.question, group.waiters.values())
      }
  }

  const requestsOf = (channel: LiveChannel): ChannelRequests<Question> => {
    const known = channels.get(channel)
    if (known !== undefined) return known
    const channelRequests: ChannelRequests<Question> = {
      channel,
      groups: new Map(),
      waiterCount: 0,
      isCheckScheduled: false,
      // Deferred: a segment closes right after its last part. The playlist between the two would hint at a
      // part that never comes.
      unsubscribe: channel.onChange(() => {
        if (channelRequests.isCheckScheduled) return
        channelRequests.isCheckScheduled = true
        setImmediate(check, channelRequests)
      }),
    }
    channels.set(channel, channelRequests)
    return channelRequests
  }

  const remove = (response: ServerResponse): void => {
    const group = groupOf.get(response)
    if (group === undefined) return
    groupOf.delete(response)
    countAt(group.waiters.get(response)?.address ?? null, -1)
    group.waiters.delete(response)
    group.channelRequests.waiterCount--
  }
  /** One listener for all requests, called when the viewer has disconnected or was answered. */
  function onClose(this: ServerResponse): void {
    remove(this)
  }

  const removeWhere = (isOver: (waiter: Waiter) => boolean): Waiter[] => {
    const out: Waiter[] = []
    for (const channelRequests of channels.values())
      for (const [key, group] of channelRequests.groups) {
        for (const waiter of group.waiters.values()) {
          if (!isOver(waiter)) break
          out.push(waiter)
          remove(waiter.response)
        }
        if (group.waiters.size === 0) channelRequests.groups.delete(key)
      }
    return out
  }

  const dropEmpty = (): void => {
    for (const channelRequests of channels.values())
      if (channelRequests.waiterCount === 0) {
        channelRequests.unsubscribe()
        channels.delete(channelRequests.channel)
      }
  }

  return {
    block: (channel, key, question, waiter) => {
      const channelRequests = requestsOf(channel)
      if (isFull(channelRequests, waiter.address)) throw tooManyWaiting()
      let group = channelRequests.groups.get(key)
      if (group === undefined) {
        group = { channelRequests, question, waiters: new Map() }
        channelRequests.groups.set(key, group)
      }
      group.waiters.set(waiter.response, waiter)
      groupOf.set(waiter.response, group)
      countAt(waiter.address, 1)
      channelRequests.waiterCount++
      waiter.response.on('close', onClose)
    },
    sweep: () => {
      const nowMs = now()
      options.giveUp(removeWhere(({ untilMs }) => untilMs <= nowMs))
      dropEmpty()
    },
    close: () => {
      options.giveUp(removeWhere(() => true))
      dropEmpty()
    },
    waiterCount: () => groupOf.size,
  }
}
