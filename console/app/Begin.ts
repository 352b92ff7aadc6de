import "../lib/Theme.ts"
import { renew, signInByLink, state } from "../lib/Session.ts"

/** What the address brings along from an outside provider's sign-in: the token of a one-time link. */
const linkToken = (hash: string): string | undefined => new URLSearchParams(hash.slice(1)).get("token") ?? undefined

/** Signs in by what there is: a link's token in the address, else the cookie of an earlier sign-in. */
export const begin = (): void => {
  const link = linkToken(location.hash)
  if (link === undefined) return void renew()
  // Not to be kept in the history, nor sent anywhere.
  history.replaceState(null, "", location.pathname + location.search)
  signInByLink(link).catch(() => {
    state.value = "out"
  })
}
