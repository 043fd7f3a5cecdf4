const patienceMs = 500

/**
 * Returns whether the node that wrote this address still answers there, or null when this cannot be
 * determined.
 */
export const askNodeId = async (
  { id, url }: { readonly id: string; readonly url: string },
  token: string,
): Promise<boolean | null> => {
  try {
    const response = await fetch(new URL('/control/who', url), {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{}',
      redirect: 'error',
      signal: AbortSignal.timeout(patienceMs),
    })
    const { NodeId } = (await response.json()) as { NodeId?: unknown }
    return NodeId === id
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return code === 'ECONNREFUSED' ? false : null
  }
}
