/**
 * Records name the public address of the installation. This page may have been opened by another name of it, and loads from where it came from
 * alone.
 */
export const ownUrl = (uri: string): string => {
  const { pathname, search } = new URL(uri)
  return `${pathname}${search}`
}
