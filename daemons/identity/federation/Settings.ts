/**
 * Settings of the external providers: up to two, each with its own variables. A provider without OpenID Connect is
 * described by its three OAuth 2.0 addresses and the fields of its user info. Pure.
 */
import { type Redacted, Result } from "effect"
import * as Settings from "#core/config/Settings.ts"

/**
 * Default scopes: the user's identity and the address that identifies the account. Source: OpenID Connect Core §5.4.
 */
const defaultScopes = "openid email profile"

const fields = (number: 1 | 2) => {
  const name = (part: string) => `SIGNALBOX_OIDC_${number}_${part}`
  return {
    Title: Settings.optionalText(name("TITLE"), {
      doc: `Name of external provider ${number}, shown to users; unset: the host of its issuer`
    }),
    Issuer: Settings.optionalText(name("ISSUER"), {
      doc: `Issuer URL of external provider ${number}, exactly as in its OpenID configuration`,
      check: issuerProblem
    }),
    ClientId: Settings.optionalText(name("CLIENT_ID"), { doc: `Our client id at provider ${number}` }),
    ClientSecret: Settings.secret(name("CLIENT_SECRET"), {
      doc: `Our client secret at provider ${number}; unset: a public client`
    }),
    AuthorizeUrl: Settings.optionalText(name("AUTHORIZE_URL"), {
      doc: `Authorisation endpoint of provider ${number}, when it has OAuth 2.0 without OpenID Connect`,
      check: urlProblem
    }),
    TokenUrl: Settings.optionalText(name("TOKEN_URL"), {
      doc: `Token endpoint of provider ${number}; with AUTHORIZE_URL`,
      check: urlProblem
    }),
    UserinfoUrl: Settings.optionalText(name("USERINFO_URL"), {
      doc: `Address where provider ${number} tells who signed in, as JSON; with AUTHORIZE_URL`,
      check: urlProblem
    }),
    SubjectField: Settings.text(name("SUBJECT_FIELD"), {
      doc: `Field of the user info with the permanent id of the user, such as id or data.id; with AUTHORIZE_URL`,
      default: "id"
    }),
    EmailField: Settings.text(name("EMAIL_FIELD"), {
      doc: `Field of the user info with the e-mail address; with AUTHORIZE_URL`,
      default: "email"
    }),
    VerifiedField: Settings.optionalText(name("VERIFIED_FIELD"), {
      doc:
        `Field of the user info that is true when the address is verified; with AUTHORIZE_URL; unset: no address ` +
        "counts as verified, so users connect their accounts first"
    }),
    Scopes: Settings.parsed(
      name("SCOPES"),
      { doc: `Scopes requested from provider ${number}`, default: defaultScopes, shown: defaultScopes },
      scopes
    ),
    MatchEmail: Settings.flag(name("MATCH_EMAIL"), {
      doc:
        `A verified e-mail address of provider ${number} opens the account with this address; ` +
        "off: only connected accounts",
      default: true
    })
  }
}

/**
 * Describes the fault of an issuer URL. A trailing slash is kept, because it is part of the issuer's name. Source:
 * OpenID Connect Discovery §3.
 */
const issuerProblem = (text: string): string | undefined =>
  urlProblem(text) ?? (URL.parse(text)?.search === "" ? undefined : "must not contain a query or fragment")

/** Describes the fault of an address of a provider. */
const urlProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an https URL"
  if (url.username !== "" || url.password !== "") return "must not contain a user or password"
  if (url.hash !== "") return "must not contain a query or fragment"
  // The response identifies the account, so it must not be changeable on the network.
  return url.protocol === "http:" && !loopbackHosts.test(url.hostname)
    ? "must be an https URL; http is permitted for this machine only"
    : undefined
}

const loopbackHosts = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const scopes = (raw: string): Result.Result<string, string> => {
  const words = raw.split(/\s+/).filter((word) => word !== "")
  if (!words.every((word) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(word)))
    return Result.fail("must be scopes separated by spaces")
  return Result.succeed(words.join(" "))
}

type Numbered<N extends 1 | 2> = {
  readonly [K in keyof ReturnType<typeof fields> as `oidc${N}${K}`]: ReturnType<typeof fields>[K]
}

const numbered = <const N extends 1 | 2>(number: N) =>
  Object.fromEntries(
    Object.entries(fields(number)).map(([key, setting]) => [`oidc${number}${key}`, setting])
  ) as unknown as Numbered<N>

export const oidcSettings = { ...numbered(1), ...numbered(2) }

export type OidcConfig = Settings.Values<typeof oidcSettings>

/** A provider without OpenID Connect. */
export interface PlainOAuth {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly userinfoUrl: string
  /** Paths in the user info, with dots between the names. */
  readonly subjectField: string
  readonly emailField: string
  readonly verifiedField: string | undefined
}

/** One configured provider. */
export interface ProviderSettings {
  /** Number of the provider; used in paths and in the methods of a sign-in, `oidc:1`. */
  readonly id: "1" | "2"
  readonly title: string
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted | undefined
  readonly scopes: string
  readonly matchEmail: boolean
  /** Undefined: the provider has OpenID Connect. */
  readonly plain: PlainOAuth | undefined
}

const settingsOf = (config: OidcConfig, number: 1 | 2) => ({
  title: config[`oidc${number}Title`],
  issuer: config[`oidc${number}Issuer`],
  clientId: config[`oidc${number}ClientId`],
  clientSecret: config[`oidc${number}ClientSecret`],
  scopes: config[`oidc${number}Scopes`],
  matchEmail: config[`oidc${number}MatchEmail`]
})

const plainOf = (config: OidcConfig, number: 1 | 2): PlainOAuth | undefined => {
  const [authorizeUrl, tokenUrl, userinfoUrl] = plainUrls.map(({ key }) => config[`oidc${number}${key}`])
  if (authorizeUrl === undefined || tokenUrl === undefined || userinfoUrl === undefined) return undefined
  return {
    authorizeUrl,
    tokenUrl,
    userinfoUrl,
    subjectField: config[`oidc${number}SubjectField`],
    emailField: config[`oidc${number}EmailField`],
    verifiedField: config[`oidc${number}VerifiedField`]
  }
}

/** All or none of them are set. */
const plainUrls = [
  { key: "AuthorizeUrl", part: "AUTHORIZE_URL" },
  { key: "TokenUrl", part: "TOKEN_URL" },
  { key: "UserinfoUrl", part: "USERINFO_URL" }
] as const

/** Scopes without the one that only OpenID Connect knows. */
const withoutOpenid = (scopes: string) =>
  scopes
    .split(" ")
    .filter((word) => word !== "openid")
    .join(" ")

/** Issuer as stored and compared. An empty path with and without slash is the same issuer. */
export const issuerKey = (issuer: string): string => new URL(issuer).href

/** The configured providers: none, one or two. */
export const providersOf = (config: OidcConfig): ReadonlyArray<ProviderSettings> =>
  ([1, 2] as const).flatMap((number) => {
    const { clientId, issuer, scopes, title, ...rest } = settingsOf(config, number)
    if (issuer === undefined || clientId === undefined) return []
    const plain = plainOf(config, number)
    return [
      {
        ...rest,
        id: `${number}` as const,
        issuer,
        clientId,
        title: title ?? new URL(issuer).host,
        scopes: plain === undefined ? scopes : withoutOpenid(scopes),
        plain
      }
    ]
  })

/** Problems of the combination of settings that are each valid alone. */
export const oidcConflicts = (config: OidcConfig): ReadonlyArray<Settings.SettingProblem> => {
  const problems: Array<Settings.SettingProblem> = []
  for (const number of [1, 2] as const) {
    const { clientId, clientSecret, issuer, scopes, title } = settingsOf(config, number)
    const variable = (part: string) => `SIGNALBOX_OIDC_${number}_${part}`
    if (issuer !== undefined && clientId === undefined) {
      problems.push({ name: variable("CLIENT_ID"), message: `is required, because ${variable("ISSUER")} is set` })
    }
    if (issuer === undefined && (clientId !== undefined || clientSecret !== undefined || title !== undefined)) {
      problems.push({
        name: variable("ISSUER"),
        message: `is required, because another variable of provider ${number} is set`
      })
    }
    const urls = plainUrls.map(({ key, part }) => ({ part, url: config[`oidc${number}${key}`] }))
    const given = urls.find(({ url }) => url !== undefined)
    if (given === undefined && !scopes.split(" ").includes("openid"))
      problems.push({ name: variable("SCOPES"), message: "must contain the scope openid" })
    for (const { part, url } of urls)
      if (given !== undefined && url === undefined)
        problems.push({ name: variable(part), message: `is required, because ${variable(given.part)} is set` })
    if (given !== undefined && issuer === undefined)
      problems.push({ name: variable("ISSUER"), message: `is required, because ${variable(given.part)} is set` })
  }
  const [first, second] = [config.oidc1Issuer, config.oidc2Issuer]
  // Links are stored by issuer, and a response is matched to its provider by issuer, so both must differ.
  if (first !== undefined && second !== undefined && issuerKey(first) === issuerKey(second)) {
    problems.push({ name: "SIGNALBOX_OIDC_2_ISSUER", message: "must differ from the issuer of provider 1" })
  }
  return problems
}
