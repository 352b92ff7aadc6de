import "../lib/Theme.ts"
import { renew, signInByLink, state } from "../lib/Session.ts"

/** Token of a sign-in link, which an external provider's sign-in puts into the URL fragment. */
const linkToken = (hash: string): string | undefined => new URLSearchParams(hash.slice(1)).get("token") ?? undefined

/** Starts the session: with a sign-in link in the URL, else with the cookie of an earlier sign-in. */
export const begin = (): void => {
  const link = linkToken(location.hash)
  if (link === undefined) return void renew()
  // The token must not stay in the history or be sent anywhere.
  history.replaceState(null, "", location.pathname + location.search)
  signInByLink(link).catch(() => {
    state.value = "out"
  })
}
