import { createTheme, Drawer, Modal, type CSSVariablesResolver } from '@mantine/core'
import { textOf } from './texts.ts'

/** A page has one banner, so dialog headers must not be banners. */
const noBanner = { attributes: { header: { role: 'none' } } }

/** Shades with a contrast of 4.5 : 1 (WCAG 2.2 AA) for text on them and as text. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    CloseButton: { defaultProps: () => ({ 'aria-label': textOf('ui.theme', 'close') }) },
    PasswordInput: {
      // Keyboard users need access too.
      defaultProps: () => ({
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': textOf('ui.theme', 'showPassword') },
      }),
    },
    Drawer: Drawer.extend({ defaultProps: noBanner }),
    Modal: Modal.extend({ defaultProps: noBanner }),
  },
})

export const cssVariables: CSSVariablesResolver = (resolved) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': resolved.colors.gray[7],
    '--mantine-color-error': resolved.colors.red[9],
    '--mantine-color-placeholder': resolved.colors.gray[7],
    '--mantine-color-anchor': resolved.colors.blue[8],
  },
  dark: {
    '--mantine-color-dimmed': resolved.colors.dark[1],
    '--mantine-color-error': resolved.colors.red[4],
    '--mantine-color-placeholder': resolved.colors.dark[1],
    '--mantine-color-anchor': resolved.colors.blue[3],
  },
})
