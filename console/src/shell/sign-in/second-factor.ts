import { ApiError } from '@zoetrope/sdk'

/** What a password leads to: a session, or the names of the factors of which one must follow. */
export type AfterPassword<Session> =
  | { readonly session: Session }
  | { readonly session: null; readonly factors: string }

const factorsIn = ({ params }: ApiError): string => {
  const { factors } = params
  return typeof factors === 'string' ? factors : ''
}

export const afterPassword = async <Session>(signIn: Promise<Session>): Promise<AfterPassword<Session>> => {
  try {
    return { session: await signIn }
  } catch (error) {
    if (error instanceof ApiError && error.reason === 'second_factor_required')
      return { session: null, factors: factorsIn(error) }
    throw error
  }
}
