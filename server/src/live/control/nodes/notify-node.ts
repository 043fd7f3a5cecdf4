import type { Log } from '../../../platform/log/log.ts'
import { callNode, type NodeTools } from './call-node.ts'
import type { LiveStreamRow } from '../store/live-stream-store.ts'

/** The node reads the rows every second, so a longer wait for its answer gains nothing. */
const timeoutMs = 1_000

/**
 * Notifies the node after the commit that the wanted state of the stream has changed. Without the
 * notification, the node applies it at most a second later. Returns whether the node has confirmed it.
 */
export const notifyNode = async (
  { log, ...tools }: NodeTools & { readonly log: Log },
  { node_id, project_id }: Pick<LiveStreamRow, 'node_id' | 'project_id'>,
): Promise<boolean> => {
  try {
    const response = await callNode(tools, node_id, '/control/sync', {
      body: { ProjectId: project_id },
      timeoutMs,
    })
    await response?.body?.cancel()
    return response?.ok === true
  } catch (error) {
    log.debug({ err: error, projectId: project_id }, 'cannot notify the live node of a change')
    return false
  }
}
