/** A manifest that would break a rule of ISO/IEC 23009-1. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError'
}
