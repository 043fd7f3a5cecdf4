/**
 * Reads the token from the fragment, which appears in no log, and removes it from the history. The API
 * receives it in a body.
 */
export const takeToken = (): string => {
  const token = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname)
  return token
}
