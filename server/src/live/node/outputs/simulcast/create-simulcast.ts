import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../../platform/db/database.ts'
import type { Log } from '../../../../platform/log/log.ts'
import type { Dial } from '../../../../platform/outbound/guarded-dialler.ts'
import type { Secrets } from '../../../../platform/base/secrets.ts'
import { allTargets, targetUriOf, type LiveTargetRow } from '../../../control/targets/live-targets.ts'
import type { LiveStreamRow } from '../../../control/store/live-stream-store.ts'
import type { BroadcastOutput } from '../../channel/broadcast-output.ts'
import { readRtmpUri } from '../../connections/rtmp-address.ts'
import { StreamStart } from './stream-start.ts'
import { startTargetPush, type TargetPush } from './target-push.ts'
import { createTargetLog } from './target-log.ts'
import { createTargetStates } from './target-states.ts'

export interface SimulcastOptions {
  readonly stream: Pick<LiveStreamRow, 'account_id' | 'project_id' | 'epoch'>
  readonly broadcastId: number
  readonly database: Database
  readonly secrets: Secrets
  readonly dial: Dial
  readonly log: Log
  readonly backOffMs?: { readonly first: number; readonly longest: number }
}

export interface Simulcast extends BroadcastOutput {
  readonly sync: () => void
}

/** Pause after a failed read of the targets. */
const retryMs = 1_000
const usualBackOffMs = { first: 1_000, longest: 60_000 }

/** Targets are independent of each other; each has the buffer of its own socket. */
export const createSimulcast = (options: SimulcastOptions): Simulcast => {
  const { stream, database, secrets, log } = options
  const owner = { accountId: stream.account_id, projectId: stream.project_id }
  const start = new StreamStart()
  const states = createTargetStates(database, { projectId: stream.project_id, epoch: stream.epoch }, log)
  const targetLog = createTargetLog(database, { ...stream, broadcast_id: options.broadcastId }, log)
  const pushes = new Map<number, { readonly uri: string; readonly push: TargetPush }>()
  const stopping = new AbortController()
  const { signal } = stopping
  let isAskedAgain = false
  let syncing: Promise<void> | null = null

  const begin = ({ id: targetId, label }: LiveTargetRow, uri: string): void => {
    const address = readRtmpUri(uri)
    if (address === null) return
    const target = { id: targetId, name: label || new URL(uri).host }
    // The row may still show the state of a lost node, and the push reports nothing before the publisher sends.
    states.set(targetId, 'idle')
    const push = startTargetPush({
      ...address,
      start,
      dial: options.dial,
      backOffMs: options.backOffMs ?? usualBackOffMs,
      onState: (state) => {
        states.set(targetId, state)
        targetLog.note(target, state)
      },
    })
    pushes.set(targetId, { uri, push })
  }

  const end = async (targetId: number): Promise<void> => {
    const running = pushes.get(targetId)
    pushes.delete(targetId)
    await running?.push.stop()
    states.set(targetId, 'idle')
  }

  const syncNow = async (): Promise<void> => {
    const targets = await allTargets(database.kysely, owner)
    const wanted = new Map(
      targets
        .filter(({ is_enabled }) => is_enabled)
        .map((row) => [row.id, { row, uri: targetUriOf(row, secrets) }]),
    )
    for (const [targetId, { uri }] of pushes) if (wanted.get(targetId)?.uri !== uri) await end(targetId)
    if (signal.aborted) return
    for (const [targetId, { row, uri }] of wanted) if (!pushes.has(targetId)) begin(row, uri)
  }

  /** Runs once at a time; requests in the meantime are served by one more run. A failed run is repeated. */
  const syncAll = async (): Promise<void> => {
    let hasFailed = false
    do {
      isAskedAgain = false
      try {
        await syncNow()
        hasFailed = false
      } catch (error) {
        if (!hasFailed) log.warn({ err: error, ...owner }, 'cannot check simulcast targets; retrying')
        hasFailed = true
        await delay(retryMs, null, { signal }).catch(() => {})
      }
    } while ((isAskedAgain || hasFailed) && !signal.aborted)
    syncing = null
  }

  const sync = (): void => {
    isAskedAgain = true
    if (!signal.aborted) syncing ??= syncAll()
  }
  sync()

  return {
    sync,
    onMessage: (message) => {
      start.receive(message)
      for (const { push } of pushes.values()) push.send(message)
    },
    onGone: () => {
      start.clear()
      for (const { push } of pushes.values()) push.onGone()
    },
    stop: async () => {
      stopping.abort()
      await syncing
      await Promise.all([...pushes.keys()].map(end))
      await states.finish()
      await targetLog.settled()
    },
  }
}
