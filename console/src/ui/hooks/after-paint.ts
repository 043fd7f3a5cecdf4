/**
 * Runs after the next paint, so that the browser first shows the pressed control: what follows, such as the rows
 * of another page, takes longer than a frame.
 */
export const afterPaint = (run: () => void): void => {
  // A hidden page does not paint.
  if (document.hidden) run()
  else requestAnimationFrame(() => setTimeout(run))
}
