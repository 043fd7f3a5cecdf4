import {
  Badge,
  Combobox,
  createTheme,
  Drawer,
  Modal,
  Tooltip,
  type CSSVariablesResolver,
} from '@mantine/core'
import { textOf } from './texts.ts'

/** A page has one banner, so dialog headers must not be banners. */
const noBanner = { attributes: { header: { role: 'none' } } }

/**
 * Colours and sizes of Mantine's components; `ui/tokens.css` has the other tokens. Shade 8 has a contrast of
 * 4.5 : 1 with white (WCAG 2.2 AA).
 */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 8, dark: 8 },
  black: '#16181d',
  colors: {
    accent: [
      ...(['#f4f4ff', '#e7e8ff', '#d2d3ff', '#b4b5fb', '#989af5'] as const),
      ...(['#8082ee', '#6c6ee4', '#5d5fd8', '#5152cc', '#4344ae'] as const),
    ],
    gray: [
      ...(['#f9f9fb', '#f2f3f5', '#e9eaee', '#dfe1e6', '#cbced6'] as const),
      ...(['#b0b4be', '#8b909c', '#60646f', '#3d4049', '#1c1e24'] as const),
    ],
    dark: [
      ...(['#e6e7eb', '#b4b7c0', '#9da1ac', '#696e7a', '#33363f'] as const),
      ...(['#282b33', '#1b1d22', '#131418', '#0e0f12', '#08090b'] as const),
    ],
    red: [
      ...(['#fdecec', '#fbd9da', '#f7b4b7', '#ff8087', '#f0616a'] as const),
      ...(['#e94a54', '#e23b46', '#d6303b', '#c42b33', '#a8232b'] as const),
    ],
  },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.3' },
      h2: { fontSize: '1.25rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
      h4: { fontSize: '0.9375rem', lineHeight: '1.45' },
      h5: { fontSize: '0.875rem', lineHeight: '1.5' },
      h6: { fontSize: '0.8125rem', lineHeight: '1.5' },
    },
  },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '10px', xl: '16px' },
  defaultRadius: 'sm',
  shadows: {
    xs: 'var(--elevation-1)',
    sm: 'var(--elevation-1)',
    md: 'var(--elevation-2)',
    lg: 'var(--elevation-3)',
    xl: 'var(--elevation-3)',
  },
  cursorType: 'pointer',
  autoContrast: true,
  respectReducedMotion: true,
  components: {
    Badge: Badge.extend({ defaultProps: { tt: 'none', fw: 500 } }),
    CloseButton: { defaultProps: () => ({ 'aria-label': textOf('ui.theme', 'close') }) },
    PasswordInput: {
      // Keyboard users need access too.
      defaultProps: () => ({
        visibilityToggleFocusable: true,
        visibilityToggleButtonProps: { 'aria-label': textOf('ui.theme', 'showPassword') },
      }),
    },
    // A closed list of options would measure the page each time that its field appears.
    Combobox: Combobox.extend({ defaultProps: { keepMounted: false } }),
    Paper: { defaultProps: { radius: 'lg' } },
    Drawer: Drawer.extend({ defaultProps: noBanner }),
    Modal: Modal.extend({ defaultProps: { ...noBanner, radius: 'lg' } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, transitionProps: { duration: 100 } } }),
  },
})

const ownColors = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-muted)',
  '--mantine-color-placeholder': 'var(--text-muted)',
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-default-border': 'var(--border)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-error': 'var(--tone-danger)',
}

export const cssVariables: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: { ...ownColors, '--mantine-color-anchor': colors['accent']?.[8] ?? '' },
  dark: { ...ownColors, '--mantine-color-anchor': colors['accent']?.[3] ?? '' },
})
