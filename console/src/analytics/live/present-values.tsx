import { SimpleGrid } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { Section } from '../../ui/section.tsx'
import type { Realtime } from '../analytics-queries.ts'
import { useDimensionNames, useValueNames } from '../dimensions/dimensions.ts'

const lists = { country: 'Countries', rendition: 'Renditions' } as const

/** Viewers of this moment by country and by the rendition that plays. */
export const PresentValues = ({ realtime }: { readonly realtime: Realtime }) => {
  const t = useTexts('analytics.live')
  const valueName = useValueNames()
  const dimensionNames = useDimensionNames()
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      {(['country', 'rendition'] as const).map((dimension) => {
        const { one, all } = dimensionNames(dimension)
        return (
          <Section key={dimension} title={all}>
            <DataTable
              id={`analytics-now-${dimension}`}
              label={all}
              rows={realtime[lists[dimension]]}
              keyOf={({ Value }) => Value}
              columns={[
                { key: 'value', header: one, cell: ({ Value }) => valueName(dimension, Value) },
                {
                  ...{ key: 'viewers', header: t('viewers'), align: 'end', width: 120 },
                  cell: ({ Viewers }) => formatNumber(Viewers),
                },
              ]}
            />
          </Section>
        )
      })}
    </SimpleGrid>
  )
}
