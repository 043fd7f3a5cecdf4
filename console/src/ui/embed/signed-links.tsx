import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { formatTime } from '../format.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { RevokeLink } from './revoke-link.tsx'

const periods = { hour: 3_600, hours: 14_400, day: 86_400, week: 604_800 } as const
type Period = keyof typeof periods
const isPeriod = (value: string | null): value is Period => value !== null && Object.hasOwn(periods, value)

interface SignedLinksProps<Links> {
  readonly sign: (options: { readonly ValidSeconds: number }) => Promise<Links>
  readonly revoke: (tokenId: string) => Promise<unknown>
  readonly children: (links: Links) => ReactNode
}

export const SignedLinks = <Links extends { readonly ExpiresAt: string }>({
  sign,
  revoke,
  children,
}: SignedLinksProps<Links>) => {
  const t = useTexts('ui.signedLinks')
  const [period, setPeriod] = useState<Period>('hours')
  const signing = useMutation({ mutationFn: () => sign({ ValidSeconds: periods[period] }) })
  return (
    <Stack gap="xs">
      <Text size="sm">{t('explained')}</Text>
      <Group align="flex-end">
        <Select
          label={t('valid')}
          data={(['hour', 'hours', 'day', 'week'] as const).map((value) => ({ value, label: t(value) }))}
          value={period}
          allowDeselect={false}
          onChange={(value) => isPeriod(value) && setPeriod(value)}
        />
        <Button
          variant="default"
          leftSection={<IconKey size={18} aria-hidden />}
          loading={signing.isPending}
          onClick={() => signing.mutate()}
        >
          {t('sign')}
        </Button>
      </Group>
      <ProblemAlert error={signing.error} />
      <Text size="sm" role="status">
        {signing.data && t('until', { when: formatTime(signing.data.ExpiresAt) })}
      </Text>
      {signing.data && children(signing.data)}
      <RevokeLink revoke={revoke} />
    </Stack>
  )
}
