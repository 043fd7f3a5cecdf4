import './partners.css'
import { Text, ThemeIcon } from '@mantine/core'
import { IconRosetteDiscountCheck, IconUserCheck } from '@tabler/icons-react'
import { useTexts } from '../../shell/texts.ts'

const benefits = [
  ['signIn', IconUserCheck],
  ['delivery', IconRosetteDiscountCheck],
] as const

/** What a connected identity provider is used for. */
export const ProviderBenefits = () => {
  const t = useTexts('account.partners')
  return (
    <ul className="provider-benefits">
      {benefits.map(([name, Icon]) => (
        <li key={name}>
          <ThemeIcon variant="light" size={36} radius="md">
            <Icon size={20} stroke={1.75} aria-hidden />
          </ThemeIcon>
          <div>
            <Text fw={550} size="sm">
              {t(`benefit-${name}`)}
            </Text>
            <Text size="sm" c="dimmed">
              {t(`benefitAbout-${name}`)}
            </Text>
          </div>
        </li>
      ))}
    </ul>
  )
}
