/** True if PostgreSQL was stopped or restarted: the next query opens a new connection. */
export const isLostConnection = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string }
  return code === '57P01' || code === '57P03' || message === 'Connection terminated unexpectedly'
}
