import { useEffect, useRef } from "preact/hooks"
import "./tabs.css"

export interface Tab {
  readonly href: string
  readonly title: string
  readonly current: boolean
}

/** Links to the sections of a page. On a narrow screen they scroll sideways. */
export const Tabs = ({ label, of }: { readonly label: string; readonly of: ReadonlyArray<Tab> }) => {
  const tabs = useRef<HTMLUListElement>(null)
  const selected = of.find(({ current }) => current)?.href
  useEffect(() => {
    const show = () => {
      const list = tabs.current
      const current = list?.querySelector<HTMLElement>("[aria-current]")
      if (list && current) list.scrollLeft = current.offsetLeft - list.offsetLeft
    }
    show()
    // A turned phone has another width.
    addEventListener("resize", show)
    return () => removeEventListener("resize", show)
  }, [selected, of.map(({ title }) => title).join()])
  return (
    <ul ref={tabs} class="tabs sections" aria-label={label}>
      {of.map(({ current, href, title }) => (
        <li key={href}>
          <a href={href} aria-current={current ? "page" : undefined}>
            {title}
          </a>
        </li>
      ))}
    </ul>
  )
}
