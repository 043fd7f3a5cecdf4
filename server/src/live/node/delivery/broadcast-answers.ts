import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../../platform/base/problem.ts'
import { refusalOf, type LiveAccess, type LiveStreamFacts } from '../../../playback/live/live-access.ts'
import type { LiveChannel } from '../channel/live-channel.ts'
import { answerQuestion, type LiveAnswer, type LiveQuestion } from './live-answer.ts'
import { createPlaylistBodies, type PlaylistBodies } from './playlist-body.ts'
import { prepareMedia, rangeOf, sendLiveProblem, sendPrepared, type Prepared } from './send-live.ts'
import { isText } from '../../../playback/live/shared-answers.ts'
import { createSlowAnswers } from '../../../playback/live/slow-answers.ts'
import type { WaitingLimits } from '../../../playback/live/waiting-limits.ts'
import { createStoredSegments, type StoredSegmentLimits } from './stored-segments.ts'
import { createBlockedRequests, type Waiter } from './blocked-requests.ts'

/** RFC 8216bis 6.2.5.2: the server gives up on a blocked request after three target durations. */
const targetsToWait = 3
/** Answers sent per turn of the event loop; a thousand at once would delay the frames of all streams. */
const answersPerTurn = 100

const gzipWanted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

const preparedFor = (answer: MadeAnswer, request: IncomingMessage): Prepared | Promise<Prepared> => {
  if (answer.type === 'media') return rangeOf(request, answer.whole, answer.contentType)
  const isGzipped = gzipWanted.test(request.headers['accept-encoding'] ?? '')
  return isGzipped ? answer.body.gzipped() : answer.body.plain
}

type SentAnswer = Exclude<LiveAnswer, { type: 'wait' }>
type StoredAnswer = Extract<LiveAnswer, { type: 'stored' }>
type MadeAnswer = Exclude<SentAnswer, StoredAnswer>

export type DeliveryLimits = WaitingLimits & StoredSegmentLimits

export interface BroadcastAnswers {
  /** Sends the resource at once, or as soon as it exists. Throws a Problem. */
  readonly answer: (channel: LiveChannel, question: LiveQuestion, viewer: Omit<Waiter, 'untilMs'>) => void
  readonly sweep: () => void
  readonly close: () => void
  readonly waiterCount: () => number
}

/**
 * Answers requests for playlists, parts and segments of broadcasts. Requests for the same resource share one
 * answer.
 */
export const createBroadcastAnswers = (options: {
  readonly access: LiveAccess
  readonly mayBeLost: () => boolean
  readonly nodeId: string
  readonly now: () => number
  readonly limits: DeliveryLimits
  readonly refuse: (response: ServerResponse, error: unknown) => void
}): BroadcastAnswers => {
  const { access, mayBeLost, nodeId, now, limits, refuse } = options
  const bodiesOf = new WeakMap<LiveChannel, PlaylistBodies>()
  const stored = createStoredSegments(now, limits)
  const slow = createSlowAnswers(now)

  const answerOf = (channel: LiveChannel, question: LiveQuestion): LiveAnswer => {
    let bodies = bodiesOf.get(channel)
    if (bodies === undefined) bodiesOf.set(channel, (bodies = createPlaylistBodies()))
    // The playlists of the next owner may be ahead. Names of media belong to one owner.
    if (isText(question.resource) && mayBeLost()) throw moved()
    return answerQuestion(channel, bodies, question)
  }

  const sendMade = (response: ServerResponse, prepared: Prepared): void => {
    sendPrepared(response, prepared)
    slow.watch(response)
  }

  const sendStored = async (
    response: ServerResponse,
    { rendition, number, contentType }: StoredAnswer,
  ): Promise<void> => {
    // The 'close' event, which releases the bytes, has already fired.
    if (response.destroyed) return
    const { pieces, release } = stored.take(rendition, number)
    response.once('close', release)
    const whole = prepareMedia(await pieces, contentType)
    sendMade(response, rangeOf(response.req, whole, contentType))
  }

  const send = (response: ServerResponse, answer: SentAnswer): void => {
    const sending = answer.type === 'stored' ? sendStored(response, answer) : sendNow(response, answer)
    sending?.catch((error: unknown) => refuse(response, error))
  }
  const sendNow = (response: ServerResponse, answer: MadeAnswer): Promise<void> | undefined => {
    const prepared = preparedFor(answer, response.req)
    if (prepared instanceof Promise) return prepared.then((made) => sendMade(response, made))
    sendMade(response, prepared)
    return undefined
  }

  const releaseAll = async (
    channel: LiveChannel,
    question: LiveQuestion,
    waiters: Iterable<Waiter>,
  ): Promise<void> => {
    // Content whose access was revoked while the requests were blocked must not be sent.
    const facts = await access.factsOf(channel.playoutId)
    // A paused node may wake up after another one has taken the stream over.
    if (facts !== null && facts.node !== null && facts.node.id !== nodeId) throw moved()
    if (facts !== null && isOutdated(channel, facts)) throw moved()
    const answer = answerOf(channel, question)
    if (answer.type === 'wait') throw late()
    await inTurns(waiters, ({ response, grant }) => {
      try {
        const refusal = refusalOf(facts, grant)
        if (refusal === null) send(response, answer)
        else sendLiveProblem(response, refusal)
      } catch (error) {
        refuse(response, error)
      }
    })
  }

  const blockedRequests = createBlockedRequests<LiveQuestion>({
    now,
    limits,
    isWorthWaiting: (channel, question) => {
      try {
        return answerOf(channel, question).type === 'wait'
      } catch {
        // The viewers get the error when they are released.
        return false
      }
    },
    release: (channel, question, waiters) => {
      const all = [...waiters]
      releaseAll(channel, question, all).catch((error: unknown) => {
        for (const { response } of all) refuse(response, error)
      })
    },
    giveUp: (waiters) => {
      for (const { response } of waiters) sendLiveProblem(response, late())
    },
  })

  return {
    answer: (channel, question, viewer) => {
      const answer = answerOf(channel, question)
      if (answer.type !== 'wait') return send(viewer.response, answer)
      const targetSeconds = channel.packager.targets?.targetDurationSeconds ?? 0
      const untilMs = now() + targetsToWait * targetSeconds * 1_000
      blockedRequests.block(channel, question.key, question, { ...viewer, untilMs })
    },
    sweep: () => {
      blockedRequests.sweep()
      stored.sweep()
      slow.sweep()
    },
    close: blockedRequests.close,
    waiterCount: blockedRequests.waiterCount,
  }
}

/**
 * Whether the stream has changed its owner since this node got the broadcast. Its playlists would take viewers back.
 * Facts that were read before the broadcast began here have a smaller epoch.
 */
export const isOutdated = ({ epoch }: Pick<LiveChannel, 'epoch'>, facts: LiveStreamFacts): boolean =>
  facts.epoch > epoch

export const moved = (): Problem => new Problem('stream_moved', {}, { headers: { 'Retry-After': '1' } })

const late = (): Problem => new Problem('live_response_late', {}, { headers: { 'Retry-After': '1' } })

const inTurns = async <Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> => {
  let count = 0
  for (const item of items) {
    act(item)
    if (++count % answersPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}
