import type { IncomingMessage, ServerResponse } from 'node:http'
import { toProblem } from '../../../platform/http/error-envelope.ts'
import type { Log } from '../../../platform/log/log.ts'
import { Problem } from '../../../platform/base/problem.ts'
import { nothing } from '../../../playback/access/find-playout.ts'
import {
  refusalOf,
  type LiveAccess,
  type LiveGrant,
  type LiveStreamFacts,
  type LiveStreamNode,
} from '../../../playback/live/live-access.ts'
import { liveBoard, stateWithoutNode, type LiveBoard } from '../../../playback/live/live-board.ts'
import { viewersHeader } from '../../../playback/live/edge-viewers.ts'
import { sharedHeader } from '../../../playback/live/pass-on.ts'
import { defaultWaitingLimits } from '../../../playback/live/waiting-limits.ts'
import { preflightHeaders } from '../../../playback/responses/send-media.ts'
import type { LiveChannel, LiveChannels } from '../channel/live-channel.ts'
import { createBroadcastAnswers, isOutdated, moved, type DeliveryLimits } from './broadcast-answers.ts'
import { createAskedForReader, type AskedFor } from './asked-for.ts'
import { parseLiveAddress, type LiveAddress } from '../../../playback/live/live-address.ts'
import { createLiveEdge, noAnswer } from './live-edge.ts'
import { createLiveViewers, type ViewerStats } from './live-viewers.ts'
import { readBeacon, readPlayers } from './read-beacon.ts'
import {
  preparePoster,
  prepareText,
  sendLiveProblem,
  sendNothing,
  sendPrepared,
  sendRedirect,
  sendTime,
} from './send-live.ts'
import { createViewerOrigins } from './viewer-origins.ts'
import { createWhoAsks } from './who-asks.ts'

export interface LiveDelivery {
  /** Answers every request under `/l/` and `/s/`; never throws. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void
  readonly statsOf: (playoutId: string) => ViewerStats
  readonly waiterCount: () => number
  /** Answers all blocked requests with an error and stops the timers. */
  readonly close: () => Promise<void>
}

export interface LiveDeliveryOptions {
  readonly channels: LiveChannels
  readonly access: LiveAccess
  /** Resolves with a JPEG, or null when there is none. */
  readonly findPoster: (playoutId: string, channel: LiveChannel | undefined) => Promise<Buffer | null>
  /** Whether another node may own the streams of this one by now. */
  readonly mayBeLost: () => boolean
  readonly nodeId: string
  readonly token: string
  readonly publicUrl: string
  /** URL at which viewers reach this node; a load balancer may have the same for several nodes. */
  readonly ownPublicUrl: string | null
  readonly trustedProxies: readonly string[]
  readonly log: Log
  /** A clock that is never set. */
  readonly now?: () => number
  /** The clock of the packagers, in milliseconds since 1970. */
  readonly wallClock?: () => number
  readonly limits?: Partial<DeliveryLimits>
}

const defaultLimits: DeliveryLimits = {
  ...defaultWaitingLimits,
  heldBytes: 256 * 2 ** 20,
  idleBytes: 64 * 2 ** 20,
}

const sweepMs = 250
const viewerSweepMs = 10_000

export const createLiveDelivery = ({
  channels,
  access,
  findPoster,
  log,
  now = () => performance.now(),
  wallClock = Date.now,
  ...options
}: LiveDeliveryOptions): LiveDelivery => {
  const limits = { ...defaultLimits, ...options.limits }
  const who = createWhoAsks(options)
  const viewers = createLiveViewers(now, who, options.token)
  const origins = createViewerOrigins({ ...options, who })

  const refuse = (response: ServerResponse, error: unknown): void => {
    const problem = toProblem(error)
    if (problem.code === 'internal') log.error({ err: problem.cause ?? problem }, 'live request failed')
    sendLiveProblem(response, problem)
  }
  const answers = createBroadcastAnswers({ ...options, access, now, limits, refuse })

  const edge = createLiveEdge({ access, token: options.token, who, log })

  const readAskedFor = createAskedForReader()

  const serve = (
    { playoutId, url, asked, grant, isAdmitted }: Ask,
    facts: LiveStreamFacts | null,
    response: ServerResponse,
  ): void => {
    const refusal = refusalOf(facts, grant)
    if (facts === null || refusal !== null) throw refusal ?? nothing()
    const request = response.req
    origins.admit(response, facts, isAdmitted)
    // Do not count the preview of an operator as a viewer.
    const isViewer = grant !== 'preview'
    const isElsewhere = facts.node !== null && facts.node.id !== options.nodeId
    const location = isElsewhere ? elsewhere(request, facts.node) : null
    if (location !== null)
      return sendRedirect(response, origins.redirect(response, location, playoutId, facts))
    if (asked.type === 'time') return sendTime(response, wallClock())
    const shown = isElsewhere ? undefined : channels.find(playoutId)
    // After a takeover, the former broadcast is shown here until the journal of the current one is read.
    const channel = shown !== undefined && isOutdated(shown, facts) ? undefined : shown
    const isLive = facts.state === 'online' || facts.state === 'reconnecting'
    const isMoving = channel === undefined && isLive && !who.isPassedOn(request)
    if (isElsewhere || (isMoving && asked.type === 'broadcast')) {
      edge
        .serve(response, facts, { grant, url })
        .then((isServed) => {
          if (isServed) return
          if (asked.type !== 'status') throw noAnswer()
          sendBoard(response, liveBoard(facts, stateWithoutNode(facts)))
        })
        .catch((error: unknown) => refuse(response, error))
      return
    }
    if (asked.type === 'status') return sendBoard(response, liveBoard(facts, stateOf(facts, channel)))
    if (asked.type === 'beacon') {
      const taken = isShared(request)
        ? readPlayers(request).then((players) => viewers.onPlayers(playoutId, players))
        : readBeacon(request).then((beacon) => {
            if (isViewer) viewers.onBeacon(playoutId, request, beacon)
          })
      taken.then(() => sendNothing(response)).catch((error: unknown) => refuse(response, error))
      return
    }
    if (asked.type === 'poster') {
      findPoster(playoutId, channel)
        .then((picture) => {
          if (picture === null) throw nothing()
          sendPrepared(response, preparePoster(picture))
        })
        .catch((error: unknown) => refuse(response, error))
      return
    }
    // This node is about to restore the broadcast, or to lose it: the api node asks again.
    if (channel === undefined) throw isLive ? moved() : nothing()
    const { question } = asked
    const { type } = question.resource
    const named = who.isPassedOn(request) ? request.headers[viewersHeader] : undefined
    if (typeof named === 'string') viewers.onNamed(playoutId, named)
    else if (isViewer && (type === 'playlist' || type === 'manifest')) viewers.onPlaylist(playoutId, request)
    answers.answer(channel, question, { response, grant, address: who.addressOf(request) })
  }

  /**
   * Returns the URL at which viewers reach the other node directly, or null when this node serves its stream.
   * Throws 'unavailable' for a forwarded request, because forwarding it again could loop.
   */
  const elsewhere = (request: IncomingMessage, node: LiveStreamNode | null): string | null => {
    const publicUrl = node?.publicUrl ?? null
    const isForwarded = who.isPassedOn(request)
    if (publicUrl === null || (!isForwarded && publicUrl === options.ownPublicUrl)) {
      if (isForwarded) throw moved()
      return null
    }
    return `${publicUrl.replace(/\/$/, '')}${request.url}`
  }

  /** A stream that has just come here may still have its former node in the facts. */
  const currentFacts = (playoutId: string): ReturnType<LiveAccess['factsOf']> => {
    const facts = access.factsOf(playoutId)
    if (facts === null || facts instanceof Promise || facts.node?.id === options.nodeId) return facts
    const channel = channels.find(playoutId)
    if (channel !== undefined && !channel.packager.hasEnded) access.refresh(playoutId)
    return access.factsOf(playoutId)
  }

  const isShared = (request: IncomingMessage): boolean =>
    request.headers[sharedHeader] !== undefined && who.isPassedOn(request)

  /** An api node checks each viewer of a shared request before and after it, and names those that count. */
  const grantOf = (request: IncomingMessage, { playoutId, token }: LiveAddress): LiveGrant =>
    isShared(request) ? 'preview' : access.grantOf(playoutId, token)

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      const address = parseLiveAddress(request.url ?? '')
      const { url: rest, isAdmitted } = origins.take(address?.rest ?? '', address?.playoutId ?? '')
      const asked = address && readAskedFor(rest)
      if (address === null || asked === null) throw new Problem('address_not_found')
      if (request.method === 'OPTIONS') return sendNothing(response, preflightHeaders)
      checkMethod(request.method, asked)
      const { playoutId } = address
      const { url } = origins.take(request.url ?? '', playoutId)
      const ask = { playoutId, url, asked, grant: grantOf(request, address), isAdmitted }
      const facts = currentFacts(playoutId)
      if (facts instanceof Promise)
        facts.then((known) => serve(ask, known, response)).catch((error: unknown) => refuse(response, error))
      else serve(ask, facts, response)
    } catch (error) {
      refuse(response, error)
    }
  }

  const sweeps = [
    setInterval(answers.sweep, sweepMs).unref(),
    setInterval(viewers.sweep, viewerSweepMs).unref(),
  ]
  return {
    handle,
    statsOf: viewers.statsOf,
    waiterCount: answers.waiterCount,
    close: () => {
      for (const sweep of sweeps) clearInterval(sweep)
      answers.close()
      return edge.close()
    },
  }
}

interface Ask {
  readonly playoutId: string
  readonly url: string
  readonly asked: AskedFor
  readonly grant: LiveGrant
  /** Whether another node has checked the origin and redirected here. */
  readonly isAdmitted: boolean
}

const stateOf = (facts: LiveStreamFacts, channel: LiveChannel | undefined): LiveBoard['State'] => {
  if (channel === undefined) return stateWithoutNode(facts)
  if (channel.packager.hasEnded) return 'ended'
  return facts.state === 'reconnecting' ? 'reconnecting' : 'online'
}

const sendBoard = (response: ServerResponse, board: LiveBoard): void => {
  const body = Buffer.from(JSON.stringify(board))
  sendPrepared(response, prepareText(body, 'application/json; charset=utf-8', 'plain'))
}

const checkMethod = (method: string | undefined, { type }: AskedFor): void => {
  const isAllowed = type === 'beacon' ? method === 'POST' : method === 'GET' || method === 'HEAD'
  if (isAllowed) return
  const allowed = type === 'beacon' ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS'
  throw new Problem('method_not_allowed', { method: method ?? '', allowed }, { headers: { Allow: allowed } })
}
