import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../kernel/problem.ts'
import { refusalOf, type LiveAccess, type LiveGrant } from '../../playout/live-access.ts'
import type { LiveChannel } from '../live-channel.ts'
import { answerQuestion, type LiveAnswer, type LiveQuestion } from './live-answer.ts'
import { createPlaylistBodies, type PlaylistBodies } from './playlist-body.ts'
import { rangeOf, sendLiveProblem, sendPrepared, type Prepared } from './send-live.ts'
import { createWaitingRooms, type Waiter, type WaitingLimits } from './waiting-rooms.ts'

/** RFC 8216bis 6.2.5.2: who has waited for so many target durations waits in vain. */
const targetsToWait = 3
/** So many answers leave before others have their turn: a thousand at once would hold up the frames of all streams. */
const answersPerTurn = 100

const gzipWanted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

/** What an answer looks like to one of those who get it. */
const preparedFor = (answer: SentAnswer, request: IncomingMessage): Prepared | Promise<Prepared> => {
  if (answer.type === 'text') {
    const isGzipped = gzipWanted.test(request.headers['accept-encoding'] ?? '')
    return isGzipped ? answer.body.gzipped() : answer.body.plain
  }
  const { whole, contentType } = answer
  if (whole instanceof Promise) return whole.then((read) => rangeOf(request, read, contentType))
  return rangeOf(request, whole, contentType)
}

type SentAnswer = Exclude<LiveAnswer, { type: 'wait' }>

export interface BroadcastAnswers {
  /** Sends what is asked for, at once or when it is there. Throws a Problem. */
  readonly answer: (
    channel: LiveChannel,
    question: LiveQuestion,
    viewer: { readonly response: ServerResponse; readonly grant: LiveGrant },
  ) => void
  readonly sweep: () => void
  readonly close: () => void
  readonly waiterCount: () => number
}

/** Playlists, parts and segments of broadcasts, to one viewer or to all who wait for the same. */
export const createBroadcastAnswers = (options: {
  readonly access: LiveAccess
  readonly now: () => number
  readonly limits: WaitingLimits
  readonly refuse: (response: ServerResponse, error: unknown) => void
}): BroadcastAnswers => {
  const { access, now, limits, refuse } = options
  const bodiesOf = new WeakMap<LiveChannel, PlaylistBodies>()

  const answerOf = (channel: LiveChannel, question: LiveQuestion): LiveAnswer => {
    let bodies = bodiesOf.get(channel)
    if (bodies === undefined) bodiesOf.set(channel, (bodies = createPlaylistBodies()))
    return answerQuestion(channel, bodies, question)
  }

  const send = (response: ServerResponse, answer: SentAnswer): void => {
    const prepared = preparedFor(answer, response.req)
    if (prepared instanceof Promise)
      prepared.then((made) => sendPrepared(response, made)).catch((error: unknown) => refuse(response, error))
    else sendPrepared(response, prepared)
  }

  const releaseAll = async (
    channel: LiveChannel,
    question: LiveQuestion,
    waiters: Iterable<Waiter>,
  ): Promise<void> => {
    // What was taken back while they waited is not sent any more.
    const facts = await access.factsOf(channel.playoutId)
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

  const rooms = createWaitingRooms<LiveQuestion>({
    now,
    limits,
    isWorthWaiting: (channel, question) => {
      try {
        return answerOf(channel, question).type === 'wait'
      } catch {
        // They are told so when they are released.
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
    answer: (channel, question, { response, grant }) => {
      const answer = answerOf(channel, question)
      if (answer.type !== 'wait') return send(response, answer)
      const targetSeconds = channel.packager.targets?.targetDurationSeconds ?? 0
      const untilMs = now() + targetsToWait * targetSeconds * 1_000
      rooms.enter(channel, question.key, question, { response, grant, untilMs })
    },
    sweep: rooms.sweep,
    close: rooms.close,
    waiterCount: rooms.waiterCount,
  }
}

const late = (): Problem =>
  new Problem('unavailable', 'What was asked for did not come in time; load the playlist anew.', {
    headers: { 'Retry-After': '1' },
  })

const inTurns = async <Item>(items: Iterable<Item>, act: (item: Item) => void): Promise<void> => {
  let count = 0
  for (const item of items) {
    act(item)
    if (++count % answersPerTurn === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}
