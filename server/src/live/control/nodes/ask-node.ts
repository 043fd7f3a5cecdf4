import type { Log } from '../../../platform/log/log.ts'
import { isProblemReason, Problem } from '../../../platform/base/problem.ts'
import { schemaValues } from '../../../platform/base/schema-values.ts'
import { callNode, type NodeTools } from './call-node.ts'
import { liveHealthSchema, noHealth, type LiveHealth } from './live-status.ts'
import type { LiveStreamRow } from '../store/live-stream-store.ts'

const healthTimeoutMs = 2_000
/**
 * The node makes the clip from its disk or memory without encoding, but may have to upload it to another
 * store.
 */
const clipTimeoutMs = (durationSeconds: number): number => 20_000 + 50 * durationSeconds

type OwnedStream = Pick<LiveStreamRow, 'node_id' | 'project_id'>

/** Returns the health of the broadcast. A node that does not answer counts as one without figures. */
export const askHealth = async (
  { log, ...tools }: NodeTools & { readonly log: Log },
  { node_id, project_id }: OwnedStream,
): Promise<LiveHealth> => {
  try {
    const response = await callNode(tools, node_id, '/control/status', {
      body: { ProjectId: project_id },
      timeoutMs: healthTimeoutMs,
    })
    const health: unknown = response?.ok === true ? await response.json() : noHealth
    const { Check } = await schemaValues()
    return Check(liveHealthSchema, health) ? health : noHealth
  } catch (error) {
    log.debug({ err: error, projectId: project_id }, 'cannot get the status from the live node')
    return noHealth
  }
}

const retryLater = { 'Retry-After': '2' }
const noAnswer = (): Problem => new Problem('live_node_unavailable', {}, { headers: retryLater })

/** A retry would make a second clip. */
const stillClipping = (): Problem => new Problem('clip_in_progress')

/** Problems that the caller can act on. Others, such as a rejected node token, stay internal. */
const forwardedProblems = [
  'conflict',
  'invalid',
  'too_large',
  'quota_exceeded',
  'storage_full',
  'unavailable',
] as const

const problemOf = (answer: unknown): Problem => {
  const { error } = (answer ?? {}) as { error?: { type?: unknown; reason?: unknown; params?: unknown } }
  const { reason, params = {} } = error ?? {}
  return forwardedProblems.some((one) => one === error?.type) && isProblemReason(reason)
    ? new Problem(reason, params as never, error?.type === 'unavailable' ? { headers: retryLater } : {})
    : noAnswer()
}

/** Returns the id of the file with the last seconds. Throws the problem of the node, or 'unavailable'. */
export const askClip = async (
  tools: NodeTools,
  { node_id, project_id }: OwnedStream,
  { durationSeconds, title }: { readonly durationSeconds: number; readonly title: string },
): Promise<number> => {
  const response = await callNode(tools, node_id, '/control/clip', {
    body: { ProjectId: project_id, Duration: durationSeconds, Title: title },
    timeoutMs: clipTimeoutMs(durationSeconds),
  }).catch((error: unknown) => {
    throw (error as Error).name === 'TimeoutError' ? stillClipping() : noAnswer()
  })
  if (response === null) throw noAnswer()
  const answer: unknown = await response.json().catch(() => null)
  const { FileId: fileId } = (answer ?? {}) as { FileId?: unknown }
  if (!response.ok || typeof fileId !== 'number') throw problemOf(answer)
  return fileId
}
