/** Thrown when a manifest would violate ISO/IEC 23009-1. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}
