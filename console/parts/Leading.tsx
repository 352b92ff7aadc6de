import type { ComponentChildren } from "preact"
import { isFollowable, ownPath } from "../lib/Leading.ts"

/**
 * Link to an address from the server. Console pages open in place; external pages open in a new tab and receive no
 * referrer.
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
