import { Button, Chip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { eventNames } from '@zoetrope/vocabulary'
import { useTexts } from '../../shell/texts.ts'
import { formatTime } from '../../ui/format.ts'
import { FilterRow } from '../../ui/lists/filter-row.tsx'
import { FilterSelect } from '../../ui/lists/filter-select.tsx'
import { useAddress, type Address } from '../../ui/lists/use-address.ts'
import { useDeliveryWords } from '../webhook-status.tsx'

const statuses = ['waiting', 'failed', 'pending', 'delivered', 'cancelled'] as const
const names = ['status', 'event', 'fileId', 'hour'] as const
const hourMs = 3_600_000

/** The query of the API for the filters in the URL. */
export const deliveryFilterOf = (address: Address): Record<string, string> => {
  const { status, event, fileId, hour } = address
  const begin = hour === undefined ? Number.NaN : Date.parse(hour)
  return {
    ...(status !== undefined && { status }),
    ...(event !== undefined && { event }),
    ...(fileId !== undefined && { fileId }),
    ...(!Number.isNaN(begin) && {
      createdFrom: new Date(begin).toISOString(),
      createdTo: new Date(begin + hourMs - 1).toISOString(),
    }),
  }
}

/** All filters are part of the URL, so they stay when you change tabs, open a delivery or go back. */
export const DeliveryFilters = () => {
  const t = useTexts('notifications.deliveries')
  const words = useDeliveryWords()
  const [address, go] = useAddress()
  const isFiltered = names.some((name) => address[name] !== undefined)
  const remove = (name: 'fileId' | 'hour', label: string) => (
    <Button
      size="xs"
      variant="light"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={t('removeFilter', { label })}
      onClick={() => go({ [name]: undefined })}
    >
      {label}
    </Button>
  )
  return (
    <FilterRow label={t('filters')}>
      <Chip.Group
        multiple
        value={address['status']?.split(',') ?? []}
        onChange={(chosen) => go({ status: statuses.filter((one) => chosen.includes(one)).join(',') })}
      >
        {statuses.map((status) => (
          <Chip key={status} value={status} size="sm" variant="outline">
            {words(status)}
          </Chip>
        ))}
      </Chip.Group>
      <FilterSelect
        name="event"
        aria-label={t('event')}
        placeholder={t('allEvents')}
        searchable
        w={200}
        data={[...eventNames]}
      />
      {address['hour'] !== undefined && remove('hour', t('inHour', { time: formatTime(address['hour']) }))}
      {address['fileId'] !== undefined && remove('fileId', t('ofFile', { id: address['fileId'] }))}
      {isFiltered && (
        <Button
          size="xs"
          variant="subtle"
          onClick={() => go(Object.fromEntries(names.map((name) => [name, undefined])))}
        >
          {t('clear')}
        </Button>
      )}
    </FilterRow>
  )
}
