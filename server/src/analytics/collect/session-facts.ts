import type { FastifyRequest } from 'fastify'
import type { ViewKind } from '../../platform/db/tables/analytics.ts'
import type { PlayoutTokens } from '../../playback/access/playout-token.ts'
import type { CountryOf } from '../dimensions/countries.ts'
import type { Dimensions } from '../dimensions/names.ts'
import { declaredIn } from './declared-dimensions.ts'
import { dimensionsOf } from './dimensions-of.ts'
import { isBot } from '../dimensions/is-bot.ts'
import type { Subject } from './subjects.ts'
import type { HashViewer } from './viewer-hash.ts'

/** What a request says about the viewer of a session. */
export interface SessionFacts {
  /** Hash of what the facts are made of. No address can be read from it. */
  readonly origin: number
  readonly kind: ViewKind
  readonly viewer: string
  readonly dimensions: Dimensions
}

/** A request with reports of a session. */
export interface SessionRequest {
  readonly request: FastifyRequest
  readonly address: string
  readonly playoutId: string
  readonly token: string | null
  readonly subject: Subject
  /** Streaming format; null if the report does not name it. */
  readonly format: string | null
}

export interface SessionFactsDependencies {
  readonly tokens: PlayoutTokens
  readonly hashViewer: HashViewer
  readonly countryOf: CountryOf
  readonly isPageCollected: boolean
  readonly publicUrl: string
}

const dayMs = 86_400_000

/** FNV-1a. */
const hashOf = (text: string): number => {
  let hash = 0x811c_9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193)
  return hash
}

const originOf = ({ request, address, subject, format }: SessionRequest, nowMs: number): number => {
  const { headers, raw } = request
  const { host, origin, referer } = headers
  // The salt of the viewer's hash changes each day.
  const day = Math.floor(nowMs / dayMs)
  return hashOf(
    `${day} ${address} ${headers['user-agent']} ${host} ${origin} ${referer} ${raw.url} ${format} ${subject.customNames.join()}`,
  )
}

/** Finds the facts of a session again only when its requests differ from the ones before. */
export const createSessionFacts = ({
  tokens,
  hashViewer,
  countryOf,
  isPageCollected,
  publicUrl,
}: SessionFactsDependencies): ((
  asked: SessionRequest,
  known: SessionFacts | null,
) => SessionFacts | Promise<SessionFacts>) => {
  const kindOf = ({ request, playoutId, token }: SessionRequest): ViewKind => {
    if (token !== null && tokens.check(token, playoutId)?.kind === 'preview') return 'preview'
    return isBot(request.headers['user-agent']) ? 'bot' : 'viewer'
  }
  const find = async (asked: SessionRequest, origin: number): Promise<SessionFacts> => {
    const { request, address, subject, format } = asked
    const { headers } = request
    const declared = declaredIn(request.raw.url ?? '', subject.customNames)
    const country = await countryOf(address)
    return {
      origin,
      kind: kindOf(asked),
      viewer: await hashViewer(address, headers['user-agent'] ?? ''),
      dimensions: dimensionsOf({
        ...{ headers, declared, format, country, subject, isPageCollected, publicUrl },
      }),
    }
  }
  return (asked, known) => {
    const origin = originOf(asked, Date.now())
    return known !== null && known.origin === origin ? known : find(asked, origin)
  }
}
