import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { brand } from "../lib/Brand.ts"

/** Frame of a page. Its heading receives the focus when the page opens, so that screen readers announce it. */
export const Page = ({
  actions,
  children,
  title
}: {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    document.title = `${title} · ${brand.value.name}`
  }, [title, brand.value.name])
  return (
    <>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions === undefined ? null : <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}
