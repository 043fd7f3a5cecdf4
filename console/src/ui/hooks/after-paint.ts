/**
 * Runs after the next paint. The browser shows the pressed control first, because an expensive update, such as the
 * rows of another page, takes longer than a frame.
 */
export const afterPaint = (run: () => void): void => {
  // A hidden page does not paint.
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
}
