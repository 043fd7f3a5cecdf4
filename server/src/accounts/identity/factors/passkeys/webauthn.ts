/** Loads the WebAuthn library on first use: its 250 modules would take an eighth of a second of each start. */
export const webAuthn = () => import('@simplewebauthn/server')

export const webAuthnHelpers = () => import('@simplewebauthn/server/helpers')
