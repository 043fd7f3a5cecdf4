import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls the open tab into view, sideways only. For the list of tabs, which may be wider than a phone. */
export const useShownTab = (open: string | null): RefObject<HTMLDivElement | null> => {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected=true]')
    if (open === null || list.current === null || tab == null) return
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2
  }, [open])
  return list
}
