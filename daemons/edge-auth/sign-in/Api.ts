import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Api from "#core/http/Api.ts"
import { Unavailable } from "#core/http/Problem.ts"
import { form, html, lang, typed } from "../edge/pages/Forms.ts"

const query = {
  /** Address to continue at; used only when the session reaches it. */
  rd: typed,
  lang
}

/** Endpoints for signing in, registering and signing out. */
const signIn = HttpApiGroup.make("sign-in").add(
  HttpApiEndpoint.get("login", "/login", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({ summary: "The login page" })
  ),
  HttpApiEndpoint.post("signIn", "/login", {
    query,
    payload: form({ email: typed, password: typed, half: typed, code: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Sign in",
      description:
        "`email` and `password`, or `half` (from the page that asks for a code) and `code`. 303 to the return " +
        "address, with the session cookie; 200 with the page that asks for the code of a second factor. 401, always " +
        "the same, for wrong input; 429 after too many failed tries of one address or one account, or wrong codes of " +
        "one account."
    })
  ),
  HttpApiEndpoint.get("register", "/register", {
    query: { ...query, first: typed },
    success: html,
    error: Unavailable
  }).annotateMerge(OpenApi.annotations({ summary: "The registration page" })),
  HttpApiEndpoint.post("signUp", "/register", {
    query: { ...query, first: typed },
    payload: form({ email: typed, name: typed, password: typed }),
    success: html,
    error: Unavailable
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Register",
      description:
        "An admin admits new users, except the first (AUTH_FIRST_USER_ADMIN), who needs `first`, the token of the " +
        "one-time link that the start prints (403 without it). 429 after too many registrations of one address; 503 " +
        "when too many users wait. The answer does not reveal whether an " +
        "address has an account already."
    })
  ),
  HttpApiEndpoint.get("logout", "/logout", { query, success: html, error: Unavailable }).annotateMerge(
    OpenApi.annotations({
      summary: "Sign out",
      description:
        "Ends the session and all sessions of the same sign-in, and deletes the cookie. A request from another site, " +
        "or for anything but a page (Sec-Fetch-Site, -Mode, -Dest), gets a page with a button instead."
    })
  ),
  HttpApiEndpoint.post("signOut", "/logout", {
    query,
    payload: form({}),
    success: html,
    error: Unavailable
  }).annotateMerge(OpenApi.annotations({ summary: "Sign out by the button of the page" }))
)

export const SignInApi = Api.make("edge-auth").add(signIn)
