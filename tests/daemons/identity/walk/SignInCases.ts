/** Walk cases of sign-in and of the own session. */
import { Effect } from "effect"
import { type Cases, list, open, own, thing, type Who } from "#support/walk/Case.ts"
import { password, type People } from "./People.ts"

const noSession = "6b1f0d3c-2f67-4f0e-9a53-0c1f5b2f8d11"
const base = "/api/v1/auth"

export const signInCases = (people: People): Cases => {
  /** Headers of a new person for a single call that ends the session. */
  const once = (as: Who) => Effect.map(people.person(as), ({ headers, session }) => ({ session, ...headers }))
  const withTokens = ({ json }: { readonly json: any }) =>
    typeof json.access_token === "string" && json.token_type === "Bearer" ? undefined : "no tokens"
  const mine = (as: Who) =>
    Effect.map(
      people.signIn({ id: Number(as.headers["x-account"]), email: as.headers["x-email"]! }),
      ({ session }) => ({ id: session })
    )
  return {
    [`POST ${base}/login`]: open("who signs in has shown nothing yet", {
      seed: (as) => Effect.map(people.account(as), ({ email }) => ({ email })),
      request: ({ email }) => ({ body: { email, password } }),
      success: 200,
      wrong: withTokens,
      except: [
        { input: "body.code: NUL", why: "without a second factor nothing looks at the code" },
        { input: "body.code: lone surrogate", why: "without a second factor nothing looks at the code" }
      ]
    }),
    [`POST ${base}/refresh`]: open("the refresh token shows who it is", {
      seed: (as) => Effect.map(people.person(as), ({ refresh }) => ({ refresh })),
      request: ({ refresh }) => ({ body: { refresh_token: refresh } }),
      success: 200,
      wrong: withTokens
    }),
    [`POST ${base}/link`]: open("the link's token shows who it is", {
      seed: (as) => Effect.map(Effect.flatMap(people.account(as), people.link), (token) => ({ token })),
      request: ({ token }) => ({ body: { token } }),
      success: 200,
      wrong: withTokens
    }),
    [`GET ${base}/welcome`]: open("a page like any other; the token is in the fragment", { success: 200 }),
    [`POST ${base}/logout`]: own("ends the session that asks", {
      seed: once,
      request: ({ authorization }) => ({ headers: { authorization: String(authorization) } }),
      success: 204
    }),
    [`GET ${base}/me`]: own("the caller's own account", {
      personal: true,
      success: 200,
      wrong: ({ json }, _, as) => (json.tenant_id === as.tenant && json.name === as.mark ? undefined : "somebody else")
    }),
    [`PATCH ${base}/me`]: own("changes the caller's own account", {
      request: () => ({ body: { locale: "en" } }),
      success: 200,
      wrong: withTokens
    }),
    [`GET ${base}/sessions`]: list({
      personal: true,
      seed: mine,
      never: { id: noSession },
      request: () => ({ query: { limit: 200 } }),
      success: 200,
      shows: ({ json }) => json.items.map((item: { readonly id: string }) => item.id),
      by: "id",
      naming: ({ id }) => [{ before: id }]
    }),
    [`DELETE ${base}/sessions/{id}`]: thing({
      personal: true,
      seed: mine,
      never: { id: noSession },
      request: ({ id }) => ({ path: { id } }),
      success: 204
    }),
    [`DELETE ${base}/sessions`]: own("ends the caller's other sessions", {
      seed: once,
      request: ({ authorization }) => ({ headers: { authorization: String(authorization) } }),
      success: 204
    }),
    [`POST ${base}/password`]: own("changes the caller's own password", {
      seed: once,
      request: ({ authorization }, as) => ({
        headers: { authorization: String(authorization) },
        body: { current_password: password, new_password: `${as.mark} is long` }
      }),
      success: 200,
      wrong: withTokens
    })
  }
}
