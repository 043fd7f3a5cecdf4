const maxLength = 500

/**
 * Text that another party may have put into a backup, safe to print on a terminal: without control
 * characters, and shortened.
 */
export const terminalText = (text: string): string => {
  const shown = text.slice(0, maxLength).replaceAll(/[\p{Cc}\p{Cf}]/gu, '?')
  return text.length > maxLength ? `${shown}…` : shown
}
