import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'

type AlertQuery = NonNullable<Parameters<typeof zoetrope.analytics.listAlerts>[0]>
export type Alert = Awaited<ReturnType<typeof zoetrope.analytics.listAlerts>>['Alerts'][number]

export const alertsQuery = (query: AlertQuery) =>
  queryOptions({
    queryKey: [...queryKeys.alerts, query],
    queryFn: async ({ signal }) => zoetrope.analytics.listAlerts(query, { signal }),
    placeholderData: keepPreviousData,
  })

export const reloadAlerts = (): Promise<void> => queryClient.invalidateQueries({ queryKey: queryKeys.alerts })
