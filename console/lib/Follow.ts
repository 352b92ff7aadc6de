/** Opens a page of the console from code outside its components. */
import { ownPath } from "./Leading.ts"

/**
 * Opens an address through a link, so that the router handles it. An address outside the console opens the list of
 * notifications instead.
 */
export const follow = (address: string | null): void => {
  const link = document.createElement("a")
  link.href = (address === null ? undefined : ownPath(address, location.origin)) ?? "/console/notifications"
  document.body.append(link)
  link.click()
  link.remove()
}
