import { Alert } from '@mantine/core'
import { messageText } from '../../shell/reason-text.ts'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { CopyField } from '../../ui/copy-field.tsx'
import { formatTime } from '../../ui/format.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Provider } from './partner-queries.ts'
import { SignInForm } from './sign-in-form.tsx'

export const SignInSection = ({ provider }: { readonly provider: Provider }) => {
  const t = useTexts('account.partners')
  const mayWrite = useCan()('partners:write')
  const { SignIn } = provider
  return (
    <>
      <div role="status">
        <StatusBadge tone={SignIn.IsEnabled ? 'ok' : 'neutral'}>
          {t(SignIn.IsEnabled ? 'signInOn' : 'signInOff')}
        </StatusBadge>
      </div>
      {SignIn.FailureReason !== null && (
        <Alert color="red" variant="light">
          {t('failed', {
            reason: messageText(SignIn.FailureReason, SignIn.ErrorReason, SignIn.ErrorParams),
            when: formatTime(SignIn.FailedAt),
          })}
        </Alert>
      )}
      {mayWrite ? (
        <SignInForm provider={provider} />
      ) : (
        <CopyField label={t('redirect')} value={SignIn.RedirectURI} />
      )}
    </>
  )
}
