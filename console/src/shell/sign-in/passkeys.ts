import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

type Options = Readonly<Record<string, unknown>>

export const canUsePasskeys = (): boolean => browserSupportsWebAuthn()

/** Null when the user closed the prompt of the browser, or another prompt replaced it. */
const unlessCancelled = async (prompt: Promise<object>): Promise<Record<string, unknown> | null> => {
  try {
    return { ...(await prompt) }
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError'))
      return null
    throw error
  }
}

/** `isAutofill` offers the passkeys in the suggestions of the user name field instead of a prompt. */
export const readPasskey = (options: Options, { isAutofill = false } = {}) =>
  unlessCancelled(
    startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
      useBrowserAutofill: isAutofill,
    }),
  )

export const makePasskey = (options: Options) =>
  unlessCancelled(
    startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }),
  )
