/**
 * Removes the origin: records contain the public URL, but this page may be open under another name and loads
 * from its own origin only.
 */
export const ownUrl = (uri: string): string => {
  const { pathname, search } = new URL(uri)
  return `${pathname}${search}`
}
