import { queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'

export type Partners = Awaited<ReturnType<typeof zoetrope.partners.get>>
export type Provider = NonNullable<Partners['IdentityProvider']>
export type Connect = Parameters<typeof zoetrope.partners.connectIdentityProvider>[0]

/** No event reports a broken provider. */
const refreshMs = 15_000

export const partnersQuery = queryOptions({
  queryKey: queryKeys.partners,
  queryFn: ({ signal }) => zoetrope.partners.get({ signal }),
  refetchInterval: refreshMs,
})
