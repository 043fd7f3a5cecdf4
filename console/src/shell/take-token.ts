/** The token stands behind the #: it goes to the API in a body, and into no log and no history. */
export const takeToken = (): string => {
  const token = location.hash.slice(1)
  history.replaceState(history.state, '', location.pathname)
  return token
}
