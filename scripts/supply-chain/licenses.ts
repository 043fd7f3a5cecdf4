/** Licences whose code may be part of a distribution under Apache-2.0. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // For fonts: files may be bundled with software, but not sold on their own.
  'OFL-1.1',
  'PostgreSQL',
  'Unlicense',
  'Zlib',
])

/** Checks an SPDX expression of AND and OR without nested parentheses; it refuses everything else. */
export const isAllowedLicense = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .every((part) =>
      part
        .replace(/^\((.*)\)$/, '$1')
        .split(' OR ')
        .some((license) => allowed.has(license)),
    )
