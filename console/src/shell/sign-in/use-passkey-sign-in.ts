import { browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { zoetrope } from '../api.ts'
import type { Session } from '../session-record.ts'
import { rememberPasskey } from './known-passkey.ts'
import { canUsePasskeys, readPasskey } from './passkeys.ts'

/** Shorter than the five minutes for which options are valid. */
const renewMs = 240_000

const finish = async (Credential: Record<string, unknown> | null): Promise<Session | null> =>
  Credential === null ? null : zoetrope.sessions.signInByPasskey({ Credential })

/** `isAutofill` also offers passkeys in the suggestions of the field with `autocomplete="username webauthn"`. */
export const usePasskeySignIn = ({
  isAutofill,
  onSignedIn,
}: {
  readonly isAutofill: boolean
  readonly onSignedIn: (session: Session) => void
}) => {
  const onSuccess = (session: Session | null): void => {
    if (session === null) return
    rememberPasskey()
    onSignedIn(session)
  }
  const { data: options = null, isLoading } = useQuery({
    queryKey: ['passkey-sign-in'],
    queryFn: async ({ signal }) => (await zoetrope.sessions.startPasskeySignIn({ signal })).Options,
    enabled: canUsePasskeys(),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: renewMs,
    refetchOnWindowFocus: false,
    retry: false,
  })
  const { mutate, error, isPending } = useMutation({ mutationFn: finish, onSuccess })
  const prompt = useMutation({
    mutationFn: async () => {
      // Options are valid once, so a second attempt needs new ones.
      const fresh = await zoetrope.sessions.startPasskeySignIn()
      return fresh.Options === null ? null : finish(await readPasskey(fresh.Options))
    },
    onSuccess,
  })
  useEffect(() => {
    if (!isAutofill || options === null) return
    void browserSupportsWebAuthnAutofill()
      .then((isSupported) => (isSupported ? readPasskey(options, { isAutofill: true }) : null))
      .then((credential) => credential !== null && mutate(credential))
      // The button reports why passkeys fail.
      .catch(() => {})
  }, [isAutofill, options, mutate])
  return {
    isOffered: options !== null,
    /** The server has not answered yet whether it accepts passkeys. */
    isLoading,
    signIn: () => prompt.mutate(),
    isPending: isPending || prompt.isPending,
    /** The browser found no passkey, or the user closed its prompt. */
    isCancelled: prompt.data === null,
    error: prompt.error ?? error,
  }
}
