import './chart.css'
import { Group, Text, useComputedColorScheme } from '@mantine/core'

/** Colours and labels of the series. */
export const ChartKeys = ({
  series,
}: {
  readonly series: readonly { readonly label: string; readonly light: string; readonly dark: string }[]
}) => {
  const scheme = useComputedColorScheme()
  return (
    <Group gap="md" justify="center" aria-hidden>
      {series.map((one) => (
        <Group key={one.label} gap={6}>
          <span className="chart-key" style={{ background: one[scheme] }} />
          <Text size="xs">{one.label}</Text>
        </Group>
      ))}
    </Group>
  )
}
