/**
 * Links that open the login page of DAVx⁵ on Android with address, user name and password. Pure. Source: manual of
 * DAVx⁵, "Integration"; its `LoginActivity` replaces `davx5` by `https` and splits the decoded user info at colons.
 */
import type { DavAccount } from "./Accounts.ts"

/**
 * The link, undefined when DAVx⁵ would read it wrongly: an address without TLS, or a colon in name or password. One
 * link covers contacts and calendars of a server: DAVx⁵ looks for both.
 */
export const davx5Link = ({ password, url, username }: DavAccount): string | undefined => {
  const { host, pathname, protocol } = new URL(url)
  if (protocol !== "https:" || `${username}${password}`.includes(":")) return undefined
  return `davx5://${encodeURIComponent(username)}:${encodeURIComponent(password)}@${host}${pathname}`
}
