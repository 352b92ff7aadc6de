/** Rows of document 3, §4.2: edge authentication, from the first registration to the sign-out. */
import type { Answer } from "#support/TestSuite.ts"
import { html, type Row, type Seen } from "./Row.ts"

const door = { of: "edge-auth", as: "nobody", section: "3 §4.2, §2.2" } as const
const password = "correct horse battery"
const own = "https://auth.example.org"

const proxied = (host: string, cookies: Readonly<Record<string, string | number | undefined>> = {}) => ({
  "x-forwarded-host": host,
  "x-forwarded-uri": "/",
  "x-forwarded-proto": "https",
  origin: own,
  cookie: Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ")
})

/** Request of a browser at the pages of edge-auth. */
const browser = (session?: string) => (seen: Seen) =>
  proxied("auth.example.org", {
    "__Host-edge_form": seen["form_token"],
    ...(session === undefined ? {} : { __platform_auth: seen[session] })
  })

/** Question of the proxy about a request for the protected host. */
const asked = (session?: string) => (seen: Seen) =>
  proxied("app.example.org", session === undefined ? {} : { __platform_auth: seen[session] })

const cookie = ({ headers }: Answer, name: string) => headers.getSetCookie().find((line) => line.startsWith(`${name}=`))

/** Keeps the token that the form of the page carries. */
const formOf = (answer: Answer, seen: Seen) => {
  const set = cookie(answer, "__Host-edge_form")?.replace(/^[^=]*=|;.*/g, "")
  if (set !== undefined) seen["form_token"] = set
  return html(answer)
}

/** Keeps the session. The document names the attributes of its cookie. */
const sessionAs = (name: string) => (answer: Answer, seen: Seen) => {
  const line = cookie(answer, "__platform_auth") ?? ""
  seen[name] = /=([0-9a-f]{64});/.exec(line)?.[1] ?? "none"
  const missing = ["Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=86400"].filter(
    (attribute) => !line.split("; ").includes(attribute)
  )
  return seen[name] === "none" || missing.length > 0 ? `sets the cookie ${line}, without ${missing}` : undefined
}

const form = { trust: "a form carries the token of its page, so that no foreign site sends it", added: ["form_token"] }
const token = ({ form_token: found }: Seen) => ({ form_token: String(found) })

const register = (email: string, name: string) => ({
  ...door,
  ...form,
  endpoint: "POST /register" as const,
  in: ["email", "name", "password"],
  form: (seen: Seen) => ({ email, name, password, ...token(seen) }),
  headers: browser(),
  also: html
})

const login = (email: string, session: string): Row => ({
  ...door,
  ...form,
  endpoint: "POST /login",
  in: ["email", "password"],
  form: (seen) => ({ email, password, ...token(seen) }),
  headers: browser(),
  status: 303,
  also: sessionAs(session)
})

export const documentThreeEdge: ReadonlyArray<Row> = [
  // Rule 1: no enabled route matches.
  { ...door, endpoint: "GET /verify", headers: asked() },
  { ...door, endpoint: "GET /login", headers: browser(), also: formOf },
  { ...door, endpoint: "GET /register", headers: browser(), also: formOf },
  // The panel needs a session.
  { ...door, endpoint: "GET /admin", headers: browser(), status: 302 },
  {
    ...register("anna@example.org", "Anna"),
    trust: "the first user needs the one-time link of the start",
    status: 403
  },
  {
    ...register("anna@example.org", "Anna"),
    trust: "the first user needs the one-time link of the start",
    query: ({ first }) => ({ first: String(first) })
  },
  login("anna@example.org", "admin"),
  { ...door, endpoint: "GET /admin", headers: browser("admin"), also: html },
  {
    ...door,
    ...form,
    endpoint: "POST /admin",
    in: ["host", "path", "role", "description"],
    added: ["form_token", "act"],
    form: (seen) => ({
      host: "app.example.org",
      path: "/",
      role: "admin",
      description: "",
      ...token(seen),
      act: "add_route"
    }),
    headers: browser("admin"),
    status: 303
  },
  // Rule 3: no cookie.
  {
    ...door,
    endpoint: "GET /verify",
    headers: asked(),
    status: 302,
    also: ({ headers }) => (headers.get("location")?.includes("/login?") === true ? undefined : "redirects elsewhere")
  },
  // Rule 2: the session of a user who has the role.
  {
    ...door,
    endpoint: "GET /verify",
    headers: asked("admin"),
    also: ({ headers }) => {
      const found = ["X-Auth-User", "X-Auth-Name", "X-Auth-Role"].map((name) => headers.get(name)).join()
      return found === "anna@example.org,Anna,admin" ? undefined : `names ${found}`
    }
  },
  // Rule 4: a user without the role, whom the admin has approved.
  register("ben@example.org", "Ben"),
  { ...login("ben@example.org", "user"), status: 401, also: html, trust: "an admin approves each user" },
  {
    ...door,
    ...form,
    endpoint: "POST /admin",
    trust: "an admin approves each user",
    in: ["id"],
    added: ["form_token", "act"],
    form: (seen) => ({ id: "2", ...token(seen), act: "approve" }),
    headers: browser("admin"),
    status: 303
  },
  login("ben@example.org", "user"),
  { ...door, endpoint: "GET /verify", headers: asked("user"), status: 403 },
  {
    ...door,
    endpoint: "GET /logout",
    headers: browser("admin"),
    also: (answer) =>
      cookie(answer, "__platform_auth")?.includes("Max-Age=0") === true ? html(answer) : "does not clear the cookie"
  },
  { ...door, endpoint: "GET /verify", headers: asked("admin"), status: 302 }
]
