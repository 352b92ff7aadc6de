import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

/** Card of the overview with an optional link to a page with more details. */
export const Card = ({
  children,
  more,
  title
}: {
  readonly title: string
  readonly more?: { readonly href: string; readonly text: string }
  readonly children: ComponentChildren
}) => {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <div class="card-head">
        <h2 id={id}>{title}</h2>
        {more === undefined ? null : <a href={more.href}>{more.text}</a>}
      </div>
      {children}
    </section>
  )
}
