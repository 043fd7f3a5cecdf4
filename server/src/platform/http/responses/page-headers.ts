/**
 * Browser features that no page uses. Autoplay, full screen, picture-in-picture and encrypted media stay out of
 * the list, so the embedding page decides about them.
 */
const unusedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
  'xr-spatial-tracking',
]

const permissionsPolicy = unusedFeatures.map((feature) => `${feature}=()`).join(', ')

const html = { 'Content-Type': 'text/html; charset=utf-8', 'Permissions-Policy': permissionsPolicy }

/** Headers of an HTML page for people who use or operate Zoetrope, which no site may frame. */
export const ownPageHeaders = (directives: readonly string[]) => ({
  ...html,
  'Content-Security-Policy': [...directives, "frame-ancestors 'none'"].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  // For crawlers and old browsers, which do not know frame-ancestors.
  'X-Frame-Options': 'DENY',
})

/** Headers of the player page, whose policy names the sites that may frame it. */
export const playerPageHeaders = (contentSecurityPolicy: string) => ({
  ...html,
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'strict-origin-when-cross-origin',
})
