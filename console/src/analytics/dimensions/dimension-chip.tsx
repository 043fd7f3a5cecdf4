import type { DimensionFilter } from '@zoetrope/vocabulary'
import { CloseButton, Group, Text } from '@mantine/core'
import { useTexts } from '../../shell/texts.ts'
import { customDimension, useDimensionNames, useValueNames } from './dimensions.ts'

/** The filter by a dimension, which a click removes. */
export const DimensionChip = ({
  name,
  value,
  onRemove,
}: {
  readonly name: DimensionFilter
  readonly value: string
  readonly onRemove: () => void
}) => {
  const t = useTexts('analytics.screen')
  const namesOf = useDimensionNames()
  const nameOf = useValueNames()
  const colon = value.indexOf(':')
  const [dimension, shown] =
    name === 'data'
      ? ([customDimension(value.slice(0, colon)), value.slice(colon + 1)] as const)
      : ([name, value] as const)
  const text = `${namesOf(dimension).one}: ${nameOf(dimension, shown)}`
  const remove = t('removeFilter', { filter: text })
  return (
    <Group gap={4} wrap="nowrap" miw={0} className="dimension-chip">
      <Text size="sm" truncate title={text}>
        {text}
      </Text>
      <CloseButton aria-label={remove} title={remove} onClick={onRemove} />
    </Group>
  )
}
