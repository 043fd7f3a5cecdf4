import { createTheme, type CSSVariablesResolver } from '@mantine/core'

/** Shades are chosen so that text on them, and they as text, have the contrast of WCAG 2.2 AA (4.5 : 1). */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  fontFamily: 'system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, monospace',
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
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
