import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { zoetrope } from '../../shell/api.ts'
import { queryClient, queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import type { TableSelection } from '../../ui/lists/table-columns.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import type { Delivery } from '../webhook-queries.ts'

/** The chosen deliveries of a page, and their redelivery in the order of creation. */
export const useDeliverySelection = (webhookId: number, shown: readonly Delivery[]) => {
  const t = useTexts('notifications.deliveries')
  const toasts = useToasts()
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [last, setLast] = useState<number | null>(null)
  const redeliver = useMutation({
    mutationFn: async () => {
      const ids = [...chosen].toSorted((a, b) => a - b)
      for (const id of ids) {
        await zoetrope.webhooks.redeliver(webhookId, id)
        setChosen((before) => new Set([...before].filter((one) => one !== id)))
      }
      return ids.length
    },
    onSuccess: (count) => toasts.done(t('redelivered', { count })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.events }),
  })
  const set = (ids: readonly number[], isChosen: boolean): void =>
    setChosen(new Set([...chosen].filter((id) => !ids.includes(id)).concat(isChosen ? ids : [])))
  const selection: TableSelection<Delivery> = {
    has: ({ Id }) => chosen.has(Id),
    toggle: ({ Id }, withShift) => {
      const ids = shown.map((one) => one.Id)
      const [from, to] = [ids.indexOf(last ?? Id), ids.indexOf(Id)].toSorted((a, b) => a - b)
      set(
        withShift && from !== undefined && from >= 0 ? ids.slice(from, (to ?? 0) + 1) : [Id],
        !chosen.has(Id),
      )
      setLast(Id)
    },
    setPage: (isChosen) =>
      set(
        shown.map(({ Id }) => Id),
        isChosen,
      ),
    nameOf: ({ Id }) => t('delivery', { id: Id }),
  }
  return { selection, count: chosen.size, redeliver }
}
