const patienceMs = 500

export interface NodeReply {
  /** Whether the node that wrote the address still answers there, or null when this cannot be determined. */
  readonly isThere: boolean | null
  /** Whether the node that answers has a lease, so that it can take streams over. */
  readonly hasLease: boolean
}

export const askNode = async (
  { id, url }: { readonly id: string; readonly url: string },
  token: string,
): Promise<NodeReply> => {
  try {
    const response = await fetch(new URL('/control/who', url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    const { NodeId, HasLease } = (await response.json()) as { NodeId?: unknown; HasLease?: unknown }
    return { isThere: NodeId === id, hasLease: HasLease === true }
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return { isThere: code === 'ECONNREFUSED' ? false : null, hasLease: false }
  }
}
