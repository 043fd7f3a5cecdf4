import type { IncomingMessage } from 'node:http'
import { refusalOf, type LiveAccess, type LiveGrant } from './live-access.ts'
import { parseLiveAddress, parseLiveResource, type LiveResource } from './live-address.ts'
import { createEdgeViewers, createViewerKeys, viewersHeader } from './edge-viewers.ts'
import { createSharedAnswers, isText, type SharedQuestion } from './shared-answers.ts'
import { createSlowAnswers } from './slow-answers.ts'
import type { ViewerRequest } from './viewer-request.ts'
import { createWaitingLimits, defaultWaitingLimits } from './waiting-limits.ts'

export interface SharedDelivery {
  /** Returns null for a request whose answer viewers do not share. */
  readonly read: (request: IncomingMessage, url: string) => SharedRequest | null
  /** Sends the answer of the live node, or throws a Problem. */
  readonly send: (viewer: ViewerRequest, asked: SharedRequest, grant: LiveGrant) => Promise<void>
  readonly close: () => Promise<void>
}

export interface SharedRequest {
  readonly playoutId: string
  readonly token: string | null
  readonly url: string
  readonly rest: string
  readonly resource: LiveResource
}

const sweepMs = 5_000
const gzipWanted = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/
const loopback = /^(?:127\.|::1$|::ffff:127\.)/
const parameters = /\?.*/s
const directive = /[?&](_HLS_(?:msn|part|skip)=[^&]*)/g
const shared = new Set(['multivariant', 'manifest', 'playlist', 'init', 'segment', 'part'])

/** Serves playlists, parts and segments from live nodes, with one request to the node for all viewers of each. */
export const createSharedDelivery = (options: {
  readonly access: LiveAccess
  readonly token: string
  readonly patienceMs: number
  /** A clock that is never set. */
  readonly now?: () => number
}): SharedDelivery => {
  const { access, now = () => performance.now() } = options
  const answers = createSharedAnswers(options)
  const viewers = createEdgeViewers(now)
  const viewerKey = createViewerKeys(options.token)
  const wait = createWaitingLimits(defaultWaitingLimits)
  const slow = createSlowAnswers(now)
  const timer = setInterval(() => {
    viewers.sweep()
    slow.sweep()
  }, sweepMs).unref()

  const questionOf = (
    { request, address, id }: ViewerRequest,
    { playoutId, url, rest, resource }: SharedRequest,
  ): SharedQuestion => {
    const wanted = request.headers['accept-encoding']
    const isGzipped = isText(resource) && gzipWanted.test(wanted ?? '')
    const form = `${playoutId} ${isGzipped}`
    const name = rest.replace(parameters, '')
    const query = resource.type === 'playlist' ? directivesOf(rest) : ''
    return {
      playoutId,
      path: url.replace(parameters, '') + query,
      key: `${form} ${name}${query}`,
      playlistKey: isText(resource) ? `${form} ${name}` : null,
      isDelta: query.includes('_HLS_skip='),
      isReload: query.includes('_HLS_msn='),
      headers: {
        'accept-encoding': isGzipped ? 'gzip' : 'identity',
        'x-forwarded-for': address ?? '',
        'x-request-id': id,
      },
      moreHeaders: () => {
        const names = isText(resource) ? viewers.take(playoutId) : undefined
        return names === undefined ? {} : { [viewersHeader]: names }
      },
    }
  }

  return {
    read: ({ method, headers }, url) => {
      if (method !== 'GET' || headers.range !== undefined) return null
      const address = parseLiveAddress(url)
      const resource = address && parseLiveResource(address.rest.replace(parameters, ''))
      return address && resource && shared.has(resource.type) ? { ...address, url, resource } : null
    },
    send: async (viewer, asked, grant) => {
      const { request, response, address, variesByOrigin, takeResponse } = viewer
      const { playoutId, resource } = asked
      // Do not count the preview of an operator as a viewer.
      const isViewer = grant !== 'preview' && (resource.type === 'playlist' || resource.type === 'manifest')
      if (isViewer) viewers.see(playoutId, viewerKey(address, request.headers['user-agent']))
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      // A loopback address is that of an unconfigured proxy on this machine.
      const leave = wait(playoutId, address === undefined || loopback.test(address) ? null : address)
      const held = await answers
        .get(questionOf(viewer, asked), gone.signal)
        .catch((error: unknown) => {
          if (gone.signal.aborted) return null
          throw error
        })
        .finally(leave)
      if (held === null) return takeResponse()
      // Access may have been revoked during the wait.
      const refusal = refusalOf(await access.factsOf(playoutId), access.grantOf(playoutId, asked.token))
      if (refusal !== null) throw refusal
      if (response.destroyed) return takeResponse()
      const { status, headers, body } = held.answer
      // Hooks that would add it do not run for a hijacked reply.
      const vary = variesByOrigin ? { vary: 'Accept-Encoding, Origin' } : {}
      takeResponse()
      response.once('close', answers.use(held))
      response.writeHead(status, { ...headers, ...vary })
      response.end(body)
      slow.watch(response)
    },
    close: async () => {
      clearInterval(timer)
      await answers.close()
    },
  }
}

/** Other parameters change nothing, but each of their values would be one more answer in memory. */
const directivesOf = (rest: string): string => {
  const found = [...rest.matchAll(directive)].map(([, text]) => text)
  return found.length === 0 ? '' : `?${found.join('&')}`
}
