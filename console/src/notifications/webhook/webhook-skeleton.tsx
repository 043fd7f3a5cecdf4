import { SimpleGrid, Skeleton, Stack } from '@mantine/core'
import { ListSkeleton } from '../../ui/lists/list-skeleton.tsx'
import { chartPixels } from './hours-chart.tsx'

const figures = ['deliveries', 'attempts', 'latency', 'waiting'] as const

/** The sections, figures, chart and deliveries of a webhook while they are loaded. */
export const WebhookSkeleton = () => (
  <Stack>
    <Skeleton height={36} maw={420} radius="sm" className="webhook-skeleton" />
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs">
      {figures.map((name) => (
        <Skeleton key={name} height={88} radius="lg" className="webhook-skeleton" />
      ))}
    </SimpleGrid>
    <Skeleton height={chartPixels} radius="lg" className="webhook-skeleton" />
    <ListSkeleton />
  </Stack>
)
