/** Opens a page of ours from outside of the page's parts. */
import { ownPath } from "./Leading.ts"

/** By the page's own links, so that the router takes it. What is no page of ours opens the list of notifications. */
export const follow = (address: string | null): void => {
  const link = document.createElement("a")
  link.href = (address === null ? undefined : ownPath(address, location.origin)) ?? "/console/notifications"
  document.body.append(link)
  link.click()
  link.remove()
}
