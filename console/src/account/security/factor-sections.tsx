import { Alert, Button, Code, Group, Modal, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useTexts } from '../../shell/texts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { AppSection } from './app-section.tsx'
import { factorsQuery, hasSecondFactor } from './factor-queries.ts'
import { PasskeysSection } from './passkeys-section.tsx'

const CodesShown = ({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) => {
  const t = useTexts('account.recoveryCodes')
  const text = codes.join('\n')
  return (
    <Stack>
      <Alert color="blue" variant="outline" role="status">
        {t('once')}
      </Alert>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {codes.map((code) => (
          <Code key={code} ta="center" fz="sm">
            {code}
          </Code>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton text={text} label={t('copy')} />
          <Button
            component="a"
            variant="default"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
            download="zoetrope-recovery-codes.txt"
            data-autofocus
          >
            {t('download')}
          </Button>
        </Group>
        <Button onClick={onClose}>{t('done')}</Button>
      </Group>
    </Stack>
  )
}

/** The second factors of the user. The first one leads to recovery codes. */
export const FactorSections = ({ onProtected }: { readonly onProtected?: () => void }) => {
  const t = useTexts('account.recoveryCodes')
  const client = useQueryClient()
  const { data: factors, error } = useQuery(factorsQuery)
  const reload = () => client.fetchQuery({ ...factorsQuery, staleTime: 0 })
  const codes = useMutation({
    mutationFn: () => zoetrope.factors.createRecoveryCodes(),
    onSuccess: reload,
  })
  if (factors === undefined) return <ProblemAlert error={error} />
  const onChanged = async () => {
    const now = await reload()
    await client.invalidateQueries({ queryKey: queryKeys.users })
    if (hasSecondFactor(now) && now.RecoveryCodeCount === 0) codes.mutate()
  }
  const close = () => {
    codes.reset()
    onProtected?.()
  }
  return (
    <>
      <PasskeysSection factors={factors} onChanged={onChanged} />
      <AppSection factors={factors} onChanged={onChanged} />
      {hasSecondFactor(factors) && (
        <Section
          title={t('title')}
          actions={
            <Button variant="default" loading={codes.isPending} onClick={() => codes.mutate()}>
              {t('create')}
            </Button>
          }
        >
          <Text size="sm">{t('explained')}</Text>
          <Text size="sm" c="dimmed">
            {t('left', { count: factors.RecoveryCodeCount })}
          </Text>
          <ProblemAlert error={codes.error} />
        </Section>
      )}
      <Modal
        opened={codes.data !== undefined}
        onClose={close}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title={t('shownTitle')}
      >
        {codes.data !== undefined && <CodesShown codes={codes.data.Codes} onClose={close} />}
      </Modal>
    </>
  )
}
