import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'

export type Factors = Awaited<ReturnType<typeof zoetrope.factors.get>>
export type Passkey = Factors['Passkeys'][number]

export const factorsQuery = queryOptions({
  queryKey: queryKeys.factors,
  queryFn: ({ signal }) => zoetrope.factors.get({ signal }),
})

export const hasSecondFactor = ({ AuthenticatorApp, Passkeys }: Factors): boolean =>
  AuthenticatorApp !== null || Passkeys.length > 0
