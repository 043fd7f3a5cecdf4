/** `TargetURL` → `target-url`, `createdFrom` → `created-from`. Ids of main resources drop the suffix. */
export const flagName = (field: string): string => {
  const kebab = field
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
  return /^(?:project|file|user)-id$/.test(kebab) ? kebab.slice(0, -'-id'.length) : kebab
}
