import type { ServerResponse } from 'node:http'
import { Problem } from '../../../platform/base/problem.ts'
import { requestIdOf } from '../../../platform/http/server.ts'
import type { Log } from '../../../platform/log/log.ts'
import { nothing } from '../../../playback/access/find-playout.ts'
import type { LiveAccess, LiveGrant, LiveStreamFacts } from '../../../playback/live/live-access.ts'
import { createPassOn, patienceMs } from '../../../playback/live/pass-on.ts'
import { createSharedDelivery } from '../../../playback/live/shared-delivery.ts'
import type { WhoAsks } from './who-asks.ts'

export interface LiveEdge {
  /**
   * Serves a stream of another live node, with one request to it for all viewers of a playlist, part or segment.
   * Returns false when that node does not answer a request that viewers do not share.
   */
  readonly serve: (response: ServerResponse, facts: LiveStreamFacts, viewer: EdgeViewer) => Promise<boolean>
  readonly close: () => Promise<void>
}

export interface EdgeViewer {
  readonly grant: LiveGrant
  /** Path of the stream, without a proof of an earlier redirect. */
  readonly url: string
}

export const createLiveEdge = (options: {
  readonly access: LiveAccess
  readonly token: string
  readonly who: WhoAsks
  readonly log: Log
}): LiveEdge => {
  const { who } = options
  const shared = createSharedDelivery({ ...options, patienceMs })
  const passOn = createPassOn(options)
  return {
    serve: async (response, { node }, { grant, url }) => {
      const request = response.req
      const viewer = {
        request,
        response,
        id: requestIdOf(request),
        address: who.sourceOf(request),
        variesByOrigin: response.hasHeader('Vary'),
        takeResponse: () => {},
      }
      const asked = shared.read(request, url)
      if (asked !== null) {
        await shared.send(viewer, asked, grant)
        return true
      }
      if (node === null) throw nothing()
      return passOn.pass(viewer, node.url)
    },
    close: async () => {
      await Promise.all([shared.close(), passOn.close()])
    },
  }
}

export const noAnswer = (): Problem =>
  new Problem('live_node_unavailable', {}, { headers: { 'Retry-After': '1' } })
