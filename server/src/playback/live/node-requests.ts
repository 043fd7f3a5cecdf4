import { Agent } from 'undici'
import { Problem } from '../../platform/base/problem.ts'
import { connectMs, endToEnd, nodeTokenHeader, sharedHeader } from './pass-on.ts'
import type { LiveAccess, LiveStreamNode } from './live-access.ts'
import type { NodeAnswer } from './answer-memory.ts'

export interface NodeQuestion {
  readonly playoutId: string
  /** With the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface NodeRequests {
  /**
   * Returns null when the node does not answer, or loses the stream before it does. Rejects when `signal` aborts,
   * and with 'unavailable' when the memory is full.
   */
  readonly ask: (
    node: LiveStreamNode,
    question: NodeQuestion,
    signal: AbortSignal,
  ) => Promise<NodeAnswer | null>
  readonly close: () => Promise<void>
}

/** How soon a request to a node that hangs follows the stream to another node. */
const lookMs = 250
/** Most answers are faster. The node of a slower one may hang, so its stream may have moved a moment ago. */
const slowMs = 1_000

export const createNodeRequests = (options: {
  readonly access: Pick<LiveAccess, 'factsOf' | 'refresh'>
  readonly token: string
  /** Limits the wait for an answer, and each pause in it. */
  readonly patienceMs: number
  /** Returns null when the memory is full. */
  readonly reserve: (sizeBytes: number) => (() => void) | null
}): NodeRequests => {
  const { access, token, patienceMs, reserve } = options
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: patienceMs,
    bodyTimeout: patienceMs,
  })
  const underWay = new Set<{
    readonly playoutId: string
    readonly nodeId: string
    readonly beganAtMs: number
    readonly moved: AbortController
  }>()

  const followMoves = async (): Promise<void> => {
    for (const request of underWay)
      if (performance.now() - request.beganAtMs > slowMs) access.refresh(request.playoutId)
    for (const request of underWay) {
      const facts = await Promise.resolve(access.factsOf(request.playoutId)).catch(() => null)
      if (facts !== null && facts.node?.id !== request.nodeId) request.moved.abort()
    }
  }
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking || underWay.size === 0) return
    isLooking = true
    void followMoves().finally(() => (isLooking = false))
  }, lookMs).unref()

  const read = async (
    node: LiveStreamNode,
    { path, headers }: NodeQuestion,
    signal: AbortSignal,
  ): Promise<NodeAnswer | null> => {
    const answer = await agent.request({
      origin: node.url,
      path,
      method: 'GET',
      headers: { ...headers, [nodeTokenHeader]: token, [sharedHeader]: '1' },
      signal,
    })
    // A redirect to the next node names the token of one viewer.
    if (answer.statusCode === 307) {
      await answer.body.dump()
      return null
    }
    const release = reserve(Number(answer.headers['content-length'] ?? 0))
    if (release === null) {
      answer.body.destroy()
      throw new Problem('dvr_busy', {}, { headers: { 'Retry-After': '1' } })
    }
    try {
      const body = Buffer.from(await answer.body.arrayBuffer())
      const { date: _date, ...kept } = endToEnd(answer.headers)
      return { status: answer.statusCode, headers: kept, body }
    } finally {
      release()
    }
  }

  return {
    ask: async (node, question, signal) => {
      const { playoutId } = question
      const beganAtMs = performance.now()
      const request = { playoutId, nodeId: node.id, beganAtMs, moved: new AbortController() }
      underWay.add(request)
      try {
        return await read(node, question, AbortSignal.any([signal, request.moved.signal]))
      } catch (error) {
        if (signal.aborted || error instanceof Problem) throw error
        return null
      } finally {
        underWay.delete(request)
      }
    },
    close: () => {
      clearInterval(timer)
      return agent.destroy()
    },
  }
}
