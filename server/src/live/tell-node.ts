import type { Log } from '../kernel/log.ts'
import { callNode, type NodeTools } from './call-node.ts'
import type { LiveStreamRow } from './live-stream-store.ts'

/** The node looks by itself every second: nobody waits longer for it to hear sooner. */
const timeoutMs = 1_000

/** After the commit: what is wanted of this stream has changed. Whether the node hears of it makes a difference of a second, no more. */
export const tellNode = async (
  { log, ...tools }: NodeTools & { readonly log: Log },
  { node_id, project_id }: Pick<LiveStreamRow, 'node_id' | 'project_id'>,
): Promise<void> => {
  try {
    const response = await callNode(tools, node_id, '/control/sync', {
      body: { ProjectId: project_id },
      timeoutMs,
    })
    await response?.body?.cancel()
  } catch (error) {
    log.debug({ err: error, projectId: project_id }, 'the live node was not told of a change')
  }
}
