import { Checkbox, Fieldset, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { permissions, type Permission } from '@zoetrope/vocabulary'
import { useTexts } from '../../shell/texts.ts'
import { families, inFamily } from './scopes.ts'

export const ScopePicker = ({
  value,
  onChange,
  available = permissions,
}: {
  readonly value: readonly Permission[]
  readonly onChange: (chosen: Permission[]) => void
  readonly available?: readonly Permission[]
}) => {
  const t = useTexts('account.scopes')
  const isAll = available.every((one) => value.includes(one))
  const isNarrowed = available.length < permissions.length
  const set = (ones: readonly Permission[], isChosen: boolean): void =>
    onChange(available.filter((one) => (ones.includes(one) ? isChosen : value.includes(one))))
  return (
    <Stack>
      {isNarrowed ? (
        <Text size="sm">{t('narrowed')}</Text>
      ) : (
        <Radio.Group
          label={t('label')}
          value={isAll ? 'all' : 'chosen'}
          onChange={(choice) =>
            onChange(choice === 'all' ? [...available] : available.filter((one) => one === 'files:read'))
          }
        >
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={t('all')} />
            <Radio value="chosen" label={t('chosen')} />
          </Stack>
        </Radio.Group>
      )}
      {(isNarrowed || !isAll) && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" style={{ alignItems: 'start' }}>
          {families.map((family) => {
            const members = inFamily(family).filter((one) => available.includes(one))
            const chosen = members.filter((one) => value.includes(one))
            if (members.length === 0) return null
            return (
              <Fieldset key={family} p="xs">
                <Stack gap={6}>
                  <Checkbox
                    label={
                      <>
                        <b>{t(family)}</b> <code>{family}:*</code>
                      </>
                    }
                    checked={chosen.length === members.length}
                    indeterminate={chosen.length > 0 && chosen.length < members.length}
                    onChange={(event) => set(members, event.currentTarget.checked)}
                  />
                  {members.map((one) => (
                    <Checkbox
                      key={one}
                      ms="lg"
                      size="xs"
                      label={<code>{one}</code>}
                      description={t(one)}
                      checked={value.includes(one)}
                      onChange={(event) => set([one], event.currentTarget.checked)}
                    />
                  ))}
                </Stack>
              </Fieldset>
            )
          })}
        </SimpleGrid>
      )}
    </Stack>
  )
}
