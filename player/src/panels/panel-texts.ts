import german from '../locales/panels.de.json' with { type: 'json' }
import english from '../locales/panels.en.json' with { type: 'json' }

/** Texts that only panels need, in the language that the page has chosen. */
export const panelTexts = (): typeof english => (document.documentElement.lang === 'de' ? german : english)
