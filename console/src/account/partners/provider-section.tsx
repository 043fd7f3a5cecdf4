import { Alert, Button, Group, Modal, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { zoetrope } from '../../shell/api.ts'
import { queryKeys } from '../../shell/query.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { FactsTable } from '../../ui/lists/facts-table.tsx'
import { formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ConnectSteps } from './connect-steps.tsx'
import type { Provider } from './partner-queries.ts'

const tones = { working: 'ok', unreachable: 'warning', broken: 'danger' } as const

export const ProviderSection = ({ provider }: { readonly provider: Provider | null }) => {
  const t = useTexts('account.partners')
  const mayWrite = useCan()('partners:write')
  const client = useQueryClient()
  const [isConnecting, connecting] = useDisclosure()
  const [isDisconnecting, disconnecting] = useDisclosure()
  const reload = () => client.invalidateQueries({ queryKey: queryKeys.partners })
  const test = useMutation({
    mutationFn: () => zoetrope.partners.testIdentityProvider(),
    onSettled: reload,
  })
  return (
    <>
      <Modal
        opened={isConnecting}
        onClose={connecting.close}
        title={t(provider === null ? 'connect' : 'change')}
        size="lg"
        closeOnClickOutside={false}
      >
        <ConnectSteps provider={provider} onClose={connecting.close} />
      </Modal>
      <Confirm
        isOpen={isDisconnecting}
        onClose={disconnecting.close}
        title={t('disconnectTitle')}
        text={t('disconnectText')}
        action={t('disconnect')}
        onConfirm={async () => {
          await zoetrope.partners.disconnectIdentityProvider()
          test.reset()
          await reload()
        }}
      />
      {provider === null ? <Text>{t('notConnected')}</Text> : <ProviderFacts provider={provider} />}
      <ProblemAlert error={test.error} />
      <div role="status">
        {test.data !== undefined && (
          <Alert variant="outline" color={test.data.IsWorking ? 'green' : 'red'}>
            {test.data.IsWorking
              ? t('testGood')
              : t('testFailed', { step: t(`step-${test.data.FailedStep ?? 'discovery'}`) })}{' '}
            {!test.data.IsWorking && test.data.Message}
          </Alert>
        )}
      </div>
      {mayWrite && (
        <Group>
          {provider === null ? (
            <Button onClick={connecting.open}>{t('connect')}</Button>
          ) : (
            <>
              <Button loading={test.isPending} onClick={() => test.mutate()}>
                {t('test')}
              </Button>
              <Button variant="default" onClick={connecting.open}>
                {t('change')}
              </Button>
              <Button variant="default" onClick={disconnecting.open}>
                {t('disconnect')}
              </Button>
            </>
          )}
        </Group>
      )}
    </>
  )
}

const ProviderFacts = ({ provider }: { readonly provider: Provider }) => {
  const t = useTexts('account.partners')
  const { State, StateReason, StateSince } = provider
  const facts = [
    [t('preset'), t(`preset-${provider.Preset}`)],
    [t('issuer'), provider.Issuer],
    [t('clientId'), provider.ClientId],
    [t('authentication'), provider.Authentication],
    [t('scope'), provider.Scope],
    [t('audience'), provider.Audience],
    [t('tokenEndpoint'), provider.TokenEndpoint],
  ] as const
  return (
    <>
      <Group gap="xs">
        <StatusBadge tone={tones[State]}>{t(State)}</StatusBadge>
        <Text size="sm">{t('since', { when: formatTime(StateSince) })}</Text>
      </Group>
      {State !== 'working' && (
        <Alert color="red" variant="outline" role="alert">
          {StateReason} {t('held')}
        </Alert>
      )}
      <FactsTable label={t('connection')} facts={facts} />
    </>
  )
}
