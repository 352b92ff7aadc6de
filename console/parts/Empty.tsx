import type { ComponentChildren } from "preact"

/** Shown instead of an empty list: what the list would show, and the first action. */
export const Empty = ({
  children,
  text,
  title
}: {
  readonly title?: string
  readonly text: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    {title === undefined ? null : <p class="empty-title">{title}</p>}
    <p>{text}</p>
    {children === undefined ? null : <p class="page-actions">{children}</p>}
  </div>
)
