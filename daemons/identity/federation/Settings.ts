/** Settings of the OpenID providers: up to two, each with its own variables. Pure. */
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
const issuerProblem = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return "must be an https URL"
  if (url.username !== "" || url.password !== "") return "must not contain a user or password"
  if (url.search !== "" || url.hash !== "") return "must not contain a query or fragment"
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
  return words.includes("openid") ? Result.succeed(words.join(" ")) : Result.fail("must contain the scope openid")
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
}

const settingsOf = (config: OidcConfig, number: 1 | 2) => ({
  title: config[`oidc${number}Title`],
  issuer: config[`oidc${number}Issuer`],
  clientId: config[`oidc${number}ClientId`],
  clientSecret: config[`oidc${number}ClientSecret`],
  scopes: config[`oidc${number}Scopes`],
  matchEmail: config[`oidc${number}MatchEmail`]
})

/** Issuer as stored and compared. An empty path with and without slash is the same issuer. */
export const issuerKey = (issuer: string): string => new URL(issuer).href

/** The configured providers: none, one or two. */
export const providersOf = (config: OidcConfig): ReadonlyArray<ProviderSettings> =>
  ([1, 2] as const).flatMap((number) => {
    const { clientId, issuer, title, ...rest } = settingsOf(config, number)
    if (issuer === undefined || clientId === undefined) return []
    return [{ ...rest, id: `${number}` as const, issuer, clientId, title: title ?? new URL(issuer).host }]
  })

/** Problems of the combination of settings that are each valid alone. */
export const oidcConflicts = (config: OidcConfig): ReadonlyArray<Settings.SettingProblem> => {
  const problems: Array<Settings.SettingProblem> = []
  for (const number of [1, 2] as const) {
    const { clientId, clientSecret, issuer, title } = settingsOf(config, number)
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
  }
  const [first, second] = [config.oidc1Issuer, config.oidc2Issuer]
  // Links are stored by issuer, and a response is matched to its provider by issuer, so both must differ.
  if (first !== undefined && second !== undefined && issuerKey(first) === issuerKey(second)) {
    problems.push({ name: "SIGNALBOX_OIDC_2_ISSUER", message: "must differ from the issuer of provider 1" })
  }
  return problems
}
