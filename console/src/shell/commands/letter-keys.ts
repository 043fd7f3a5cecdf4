import { useLocalStorage } from '@mantine/hooks'

/**
 * Whether shortcuts without Ctrl or ⌘ work. Speech input can trigger them by accident, so users can turn them
 * off (WCAG 2.1.4). Kept in this browser.
 */
export const useLetterKeys = () =>
  useLocalStorage({ key: 'zoetrope-letter-keys', defaultValue: true, getInitialValueInEffect: false })
