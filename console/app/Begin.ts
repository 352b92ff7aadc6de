import "../lib/Theme.ts"
import { words } from "../lib/Language.ts"
import { linkRefused, renew, signInByLink, state, token } from "../lib/Session.ts"
import { Problem } from "../lib/Problem.ts"

const t = words({
  en: {
    replace: "You are signed in already. Sign in with the link instead? The present session in this browser ends."
  },
  de: {
    replace:
      "Sie sind schon angemeldet. Stattdessen mit dem Link anmelden? Die jetzige Sitzung in diesem Browser endet."
  }
})

/** Token of a sign-in link, which an external provider's sign-in puts into the URL fragment. */
const linkToken = (hash: string): string | undefined => new URLSearchParams(hash.slice(1)).get("token") ?? undefined

/** Starts the session: with a sign-in link in the URL, else with the cookie of an earlier sign-in. */
export const begin = (): void => {
  const link = linkToken(location.hash)
  if (link === undefined) return void renew()
  // The token must not stay in the history or be sent anywhere.
  history.replaceState(null, "", location.pathname + location.search)
  void beginByLink(link)
}

/** Anybody can send a link to an account of their own, so it does not replace a session without a question. */
const beginByLink = async (link: string): Promise<void> => {
  const isSignedIn = await renew()
  if (isSignedIn && !confirm(t().replace)) return
  try {
    await signInByLink(link)
    // Nothing of the former account stays on the page.
    if (isSignedIn) location.reload()
  } catch (error) {
    linkRefused.value = error instanceof Problem && (error.status === 401 || error.status === 422)
    if (token.value === undefined) state.value = "out"
  }
}
