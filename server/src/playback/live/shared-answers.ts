import { setTimeout as delay } from 'node:timers/promises'
import { Problem } from '../../platform/base/problem.ts'
import { nothing } from '../access/find-playout.ts'
import type { LiveAccess, LiveStreamFacts } from './live-access.ts'
import type { LiveResource } from './live-address.ts'
import { createAnswerMemory, type HeldAnswer, type NodeAnswer } from './answer-memory.ts'
import { hasAllKnown } from './last-playlist.ts'
import { createNodeRequests, type NodeQuestion } from './node-requests.ts'

export interface SharedQuestion extends NodeQuestion {
  /** Equal for requests that get the same answer. */
  readonly key: string
  /** Key of the same playlist without the query that blocks or shortens it; null for media. */
  readonly playlistKey: string | null
  readonly isDelta: boolean
  readonly isReload: boolean
  /** Called before each request to the node. */
  readonly moreHeaders: () => Readonly<Record<string, string>>
}

export interface SharedAnswers {
  /**
   * Returns the answer of the node that has the stream, asked once for all viewers at the same time. While no node
   * has it, waits for the next one, and then returns the last playlist.
   */
  readonly get: (question: SharedQuestion, signal: AbortSignal) => Promise<HeldAnswer>
  readonly use: (held: HeldAnswer) => () => void
  readonly close: () => Promise<void>
}

const limits = { heldBytes: 256 * 2 ** 20, idleBytes: 64 * 2 ** 20 }
const lastPlaylistBytes = 32 * 2 ** 20
const lastPlaylistMs = 60_000
/** Less than a segment. */
const sameAgeMs = 1_000
/** Players give up after about ten seconds without an answer. */
const defaultHoldMs = 8_000
const lookMs = 200
const freshMs = { media: 30_000, reload: 1_000, text: 300 }

interface Flight {
  readonly held: Promise<HeldAnswer>
  readonly abort: AbortController
  waiterCount: number
}

/** Two broadcasts of a stream have the same URLs, but begin at different times. */
const lastKey = (playlistKey: string, isDelta: boolean, { onlineSince }: LiveStreamFacts): string =>
  `${playlistKey} ${isDelta} ${onlineSince?.getTime()}`

export const isText = ({ type }: LiveResource): boolean =>
  type === 'playlist' || type === 'multivariant' || type === 'manifest'

export const createSharedAnswers = (options: {
  readonly access: LiveAccess
  readonly token: string
  readonly patienceMs: number
  /** How long a request waits for a node that has the stream. */
  readonly holdMs?: number
  /** A clock that is never set. */
  readonly now?: () => number
}): SharedAnswers => {
  const { access, holdMs = defaultHoldMs, now = () => performance.now() } = options
  const memory = createAnswerMemory(limits, now)
  const lastPlaylists = createAnswerMemory({ heldBytes: Infinity, idleBytes: lastPlaylistBytes }, now)
  const requests = createNodeRequests({ ...options, reserve: memory.reserve })
  const flights = new Map<string, Flight>()

  /**
   * Returns nothing when newer playlists were sent in the other form only, or by another process to this player: no
   * viewer gets an older one, nor one of the previous broadcast.
   */
  const lastOf = (
    { playlistKey, isDelta, path }: SharedQuestion,
    facts: LiveStreamFacts,
  ): NodeAnswer | undefined => {
    if (playlistKey === null) return undefined
    const [full, delta] = [false, true].map((form) => lastPlaylists.find(lastKey(playlistKey, form, facts)))
    const last = isDelta ? (delta ?? full) : full
    const newestMs = Math.max(full?.freshUntilMs ?? 0, delta?.freshUntilMs ?? 0)
    if (last === undefined || last.freshUntilMs < newestMs - sameAgeMs) return undefined
    return hasAllKnown(last.answer, path) ? last.answer : undefined
  }

  const keep = (question: SharedQuestion, answer: NodeAnswer, facts: LiveStreamFacts): HeldAnswer => {
    const { key, playlistKey, isDelta, isReload } = question
    if (answer.status !== 200) return memory.add(key, answer, 0)
    if (playlistKey === null) return memory.add(key, answer, freshMs.media)
    lastPlaylists.add(lastKey(playlistKey, isDelta, facts), answer, lastPlaylistMs)
    return memory.add(key, answer, isReload ? freshMs.reload : freshMs.text)
  }

  const ask = async (question: SharedQuestion, signal: AbortSignal): Promise<HeldAnswer> => {
    const { playoutId } = question
    const untilMs = now() + holdMs
    for (;;) {
      const facts = await access.factsOf(playoutId)
      if (facts === null) throw nothing()
      const asked = { ...question, headers: { ...question.headers, ...question.moreHeaders() } }
      const given = facts.node === null ? null : await requests.ask(facts.node, asked, signal)
      const answer = (await isOutdated(question, facts)) ? null : given
      const isLive = facts.state === 'online' || facts.state === 'reconnecting'
      if (answer !== null && !(isLive && isPassing(answer, facts, question)))
        return keep(question, answer, facts)
      const last = lastOf(question, facts)
      if (answer !== null && last !== undefined && reasonOf(answer) === 'live_response_late')
        return memory.add(question.key, last, 0)
      if (!isLive || now() >= untilMs) {
        if (isLive && last !== undefined) return memory.add(question.key, last, 0)
        if (answer !== null) return memory.add(question.key, answer, 0)
        throw facts.node === null && !isLive ? nothing() : noAnswer()
      }
      access.refresh(playoutId)
      await delay(lookMs, null, { signal })
    }
  }

  /** The playlist of a former owner would take viewers back, after that of the next one. */
  const isOutdated = async (
    { playoutId, playlistKey }: SharedQuestion,
    { node }: LiveStreamFacts,
  ): Promise<boolean> => {
    if (playlistKey === null) return false
    const current = await access.factsOf(playoutId)
    return current !== null && current.node !== null && current.node.id !== node?.id
  }

  const begin = (question: SharedQuestion): Flight => {
    const abort = new AbortController()
    const held = ask(question, abort.signal)
    const flight: Flight = { held, abort, waiterCount: 0 }
    flights.set(question.key, flight)
    const land = (): void => {
      if (flights.get(question.key) === flight) flights.delete(question.key)
    }
    held.then(land, land)
    return flight
  }

  return {
    get: async (question, signal) => {
      const { key } = question
      const known = memory.find(key)
      if (known !== undefined) return known
      const flight = flights.get(key) ?? begin(question)
      flight.waiterCount++
      const leave = (): void => {
        flight.waiterCount--
        if (flight.waiterCount > 0) return
        // Frees the request that is blocked at the node.
        flight.abort.abort()
        if (flights.get(key) === flight) flights.delete(key)
      }
      signal.addEventListener('abort', leave, { once: true })
      try {
        return await flight.held
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
    use: memory.use,
    close: requests.close,
  }
}

/** Whether the same request will get another answer as soon as the next node has the stream. */
const isPassing = (
  answer: NodeAnswer,
  { state }: LiveStreamFacts,
  { playlistKey }: SharedQuestion,
): boolean => {
  if (answer.status === 404) return playlistKey !== null && state === 'reconnecting'
  if (answer.status !== 503) return false
  const reason = reasonOf(answer)
  return reason === 'stream_moved' || (reason === 'live_response_late' && playlistKey !== null)
}

const reasonOf = ({ status, body }: NodeAnswer): string | null => {
  if (status !== 503) return null
  try {
    return (JSON.parse(body.toString()) as { error?: { reason?: string } }).error?.reason ?? null
  } catch {
    return null
  }
}

const noAnswer = (): Problem => new Problem('live_node_unavailable', {}, { headers: { 'Retry-After': '1' } })
