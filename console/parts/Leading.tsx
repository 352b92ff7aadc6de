import type { ComponentChildren } from "preact"
import { isFollowable, ownPath } from "../lib/Leading.ts"

/**
 * A link to wherever an address leads that came from the server: ours opens here, others open a page of their own and
 * learn nothing of us.
 */
export const Leading = ({
  children,
  class: name,
  onClick,
  to
}: {
  readonly to: string
  readonly class?: string
  readonly onClick?: () => void
  readonly children: ComponentChildren
}) => {
  const own = ownPath(to, location.origin)
  const given = { ...(name === undefined ? {} : { class: name }), ...(onClick === undefined ? {} : { onClick }) }
  if (own !== undefined)
    return (
      <a href={own} {...given}>
        {children}
      </a>
    )
  return isFollowable(to, location.origin) ? (
    <a href={to} target="_blank" rel="noopener noreferrer" {...given}>
      {children}
    </a>
  ) : (
    <>{children}</>
  )
}
