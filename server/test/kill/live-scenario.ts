import assert from 'node:assert/strict'
import type { Installation } from './installation.ts'
import { startLivePlayer, type LivePlayer } from './live-player.ts'
import { startPublisher, type Film, type FilmPublisher, type Ingest } from './live-publisher.ts'

export interface ShowSettings {
  readonly UseLowLatency?: boolean
  readonly AutoRecording?: boolean
  readonly TimeshiftDuration?: number
  readonly ReconnectWindow?: number
}

export interface Show {
  readonly projectId: number
  readonly settings: ShowSettings
  /** URL of the multivariant playlist. */
  readonly url: string
  readonly publisher: FilmPublisher
  readonly player: LivePlayer
}

export interface ShowOptions {
  readonly ingests: readonly [Ingest, ...Ingest[]]
  readonly film: Film
  readonly settings: ShowSettings
  readonly mayFail: () => boolean
  readonly onFault: (projectId: number, fault: string) => void
}

type Callable = Pick<Installation, 'call'>

const answered = async (
  installation: Callable,
  ...[method, path, body]: Parameters<Installation['call']>
) => {
  const answer = await installation.call(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path} answers ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

/**
 * Creates a project whose live stream is published and watched from now on. Recordings are small, so that
 * their encodes leave time for other work.
 */
export const startShow = async (installation: Callable, options: ShowOptions): Promise<Show> => {
  const { settings, film, ingests, mayFail, onFault } = options
  const { Id: projectId } = await answered(installation, 'POST', '/projects', {
    Name: 'Live',
    DefaultReleaseStatus: 'published',
    EncoderSettings: { Renditions: [{ Height: 180 }] },
  })
  const live = `/projects/${projectId}/live`
  const { StreamInConnection } = await answered(installation, 'PUT', `${live}/ingest`, settings)
  const output = await answered(installation, 'GET', `${live}/output`)
  const publisher = startPublisher(ingests, StreamInConnection.StreamName, film)
  const player = startLivePlayer({
    url: output.LLHLS ?? output.HLS,
    sendingSinceMs: publisher.sendingSinceMs,
    mayFail,
    onFault: (fault) => onFault(projectId, fault),
  })
  return { projectId, settings, url: output.LLHLS ?? output.HLS, publisher, player }
}

export const stateOf = async (installation: Callable, { projectId }: Show): Promise<string> =>
  (await answered(installation, 'GET', `/projects/${projectId}/live/status`)).State
