import type { ServerResponse } from 'node:http'
import { Problem } from '../../../platform/base/problem.ts'
import type { LiveGrant } from '../../../playback/live/live-access.ts'
import type { LiveChannel } from '../channel/live-channel.ts'

/** A request that is answered later. */
export interface Waiter {
  readonly response: ServerResponse
  readonly grant: LiveGrant
  /** Null when unknown. */
  readonly address: string | null
  readonly untilMs: number
}

/** Requests for the same content, oldest first. */
interface Group<Question> {
  readonly room: Room<Question>
  readonly question: Question
  readonly waiters: Map<ServerResponse, Waiter>
}

interface Room<Question> {
  readonly channel: LiveChannel
  readonly groups: Map<string, Group<Question>>
  readonly leave: () => void
  waiterCount: number
  isToBeLooked: boolean
}

export interface WaitingLimits {
  readonly perStream: number
  readonly total: number
  readonly perAddress: number
}

export interface WaitingRooms<Question> {
  /** Blocks a request; equal requests have equal keys. Throws 'unavailable' beyond the limits. */
  readonly enter: (channel: LiveChannel, key: string, question: Question, waiter: Waiter) => void
  /** Gives up on requests past their deadline. */
  readonly sweep: () => void
  /** Gives up on all requests. */
  readonly close: () => void
  readonly waiterCount: () => number
}

interface WaitingRoomOptions<Question> {
  readonly now: () => number
  readonly limits: WaitingLimits
  readonly isWorthWaiting: (channel: LiveChannel, question: Question) => boolean
  /** Answers requests whose content is available. */
  readonly release: (channel: LiveChannel, question: Question, waiters: Iterable<Waiter>) => void
  readonly giveUp: (waiters: Iterable<Waiter>) => void
}

/**
 * Blocked requests: one check for all that wait for the same content, no timer, and little memory for each.
 */
export const createWaitingRooms = <Question>(
  options: WaitingRoomOptions<Question>,
): WaitingRooms<Question> => {
  const { now, limits } = options
  const rooms = new Map<LiveChannel, Room<Question>>()
  const groupOf = new Map<ServerResponse, Group<Question>>()
  const countOf = new Map<string, number>()

  const countAt = (address: string | null, change: 1 | -1): void => {
    if (address === null) return
    const count = (countOf.get(address) ?? 0) + change
    if (count === 0) countOf.delete(address)
    else countOf.set(address, count)
  }
  const isFull = (room: Room<Question>, address: string | null): boolean =>
    groupOf.size >= limits.total ||
    room.waiterCount >= limits.perStream ||
    (address !== null && (countOf.get(address) ?? 0) >= limits.perAddress)

  const look = (room: Room<Question>): void => {
    room.isToBeLooked = false
    for (const [key, group] of room.groups)
      if (!options.isWorthWaiting(room.channel, group.question)) {
        room.groups.delete(key)
        for (const { response, address } of group.waiters.values()) {
          groupOf.delete(response)
          countAt(address, -1)
        }
        room.waiterCount -= group.waiters.size
        options.release(room.channel, group.question, group.waiters.values())
      }
  }

  const roomOf = (channel: LiveChannel): Room<Question> => {
    const known = rooms.get(channel)
    if (known !== undefined) return known
    const room: Room<Question> = {
      channel,
      groups: new Map(),
      waiterCount: 0,
      isToBeLooked: false,
      // Deferred: a segment closes right after its last part. The playlist between the two would hint at a
      // part that never comes.
      leave: channel.onChange(() => {
        if (room.isToBeLooked) return
        room.isToBeLooked = true
        setImmediate(look, room)
      }),
    }
    rooms.set(channel, room)
    return room
  }

  const forget = (response: ServerResponse): void => {
    const group = groupOf.get(response)
    if (group === undefined) return
    groupOf.delete(response)
    countAt(group.waiters.get(response)?.address ?? null, -1)
    group.waiters.delete(response)
    group.room.waiterCount--
  }
  /** One listener for all requests, called when the viewer has disconnected or was answered. */
  function onClose(this: ServerResponse): void {
    forget(this)
  }

  const takeOut = (isOver: (waiter: Waiter) => boolean): Waiter[] => {
    const out: Waiter[] = []
    for (const room of rooms.values())
      for (const [key, group] of room.groups) {
        for (const waiter of group.waiters.values()) {
          if (!isOver(waiter)) break
          out.push(waiter)
          forget(waiter.response)
        }
        if (group.waiters.size === 0) room.groups.delete(key)
      }
    return out
  }

  const dropEmpty = (): void => {
    for (const room of rooms.values())
      if (room.waiterCount === 0) {
        room.leave()
        rooms.delete(room.channel)
      }
  }

  return {
    enter: (channel, key, question, waiter) => {
      const room = roomOf(channel)
      if (isFull(room, waiter.address)) throw tooMany()
      let group = room.groups.get(key)
      if (group === undefined) {
        group = { room, question, waiters: new Map() }
        room.groups.set(key, group)
      }
      group.waiters.set(waiter.response, waiter)
      groupOf.set(waiter.response, group)
      countAt(waiter.address, 1)
      room.waiterCount++
      waiter.response.on('close', onClose)
    },
    sweep: () => {
      const nowMs = now()
      options.giveUp(takeOut(({ untilMs }) => untilMs <= nowMs))
      dropEmpty()
    },
    close: () => {
      options.giveUp(takeOut(() => true))
      dropEmpty()
    },
    waiterCount: () => groupOf.size,
  }
}

const tooMany = (): Problem =>
  new Problem('too_many_waiting_viewers', {}, { headers: { 'Retry-After': '1' } })
