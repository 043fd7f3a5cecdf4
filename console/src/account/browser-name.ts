/** Specific browsers first, because their User-Agent also names those below. */
const browsers = [
  ['Edge', /\bEdgA?\/|\bEdgiOS\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bHeadlessChrome\/|\bCriOS\//],
  ['Safari', /\bSafari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone\b|\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const firstOf = (rules: readonly (readonly [string, RegExp])[], text: string): string | null =>
  rules.find(([, pattern]) => pattern.test(text))?.[0] ?? null

/** Identifies browser and system by the User-Agent, so that users recognize their own sessions. */
export const browserOf = (
  userAgent: string,
): { readonly browser: string | null; readonly system: string | null } => ({
  browser: firstOf(browsers, userAgent),
  system: firstOf(systems, userAgent),
})
