/** identity with external providers, and the calls of signing in through them. */
import { Effect } from "effect"
import { Browser, type Page } from "#support/Browser.ts"
import type { StartOptions } from "#support/TestSuite.ts"
import { signInSuite } from "../SignInSuite.ts"

/** Public address of identity. The server itself listens on a loopback port. */
export const publicUrl = "https://signalbox.test"

export const redirectUris = ["1", "2"].map((id) => `${publicUrl}/api/v1/auth/oidc/${id}/callback`)

export interface ConfiguredProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret?: string
}

/** Environment variables of one provider. */
export const variables = (
  number: 1 | 2,
  { clientId, clientSecret, issuer }: ConfiguredProvider
): Record<string, string> => ({
  [`SIGNALBOX_OIDC_${number}_TITLE`]: `Provider ${number}`,
  [`SIGNALBOX_OIDC_${number}_ISSUER`]: issuer,
  [`SIGNALBOX_OIDC_${number}_CLIENT_ID`]: clientId,
  ...(clientSecret === undefined ? {} : { [`SIGNALBOX_OIDC_${number}_CLIENT_SECRET`]: clientSecret })
})

/** The one-time token in the address of the console or the welcome page. */
export const tokenIn = ({ hash }: URL): string => hash.replace(/^#(token=)?/, "")

export const federationSuite = Effect.fnUntraced(function* (
  providers: { readonly 1?: ConfiguredProvider; readonly 2?: ConfiguredProvider },
  env: Readonly<Record<string, string>> = {},
  options: Partial<StartOptions> = {}
) {
  const suite = yield* signInSuite({
    ...options,
    env: {
      SIGNALBOX_PUBLIC_URL: publicUrl,
      ...(providers[1] === undefined ? {} : variables(1, providers[1])),
      ...(providers[2] === undefined ? {} : variables(2, providers[2])),
      ...env
    }
  })
  const browser = () => new Browser({ [publicUrl]: suite.base() })
  const startUrl = (id: string, returnTo?: string) =>
    `${publicUrl}/api/v1/auth/oidc/${id}/start${returnTo === undefined ? "" : `?return_to=${encodeURIComponent(returnTo)}`}`
  const isHandedOver = (url: URL) => url.origin === publicUrl && url.hash !== ""

  /** Runs a complete sign-in; ends at the address with the token or at an error page. */
  const signIn = (id: string, inside = browser(), returnTo?: string): Effect.Effect<Page> =>
    Effect.promise(() => inside.open(startUrl(id, returnTo), isHandedOver))
  /** Runs a sign-in until the provider redirects back, and stops there. */
  const untilBack = (id: string, inside: Browser): Effect.Effect<URL> =>
    Effect.promise(async () => (await inside.open(startUrl(id), (url) => url.pathname.endsWith("/callback"))).url)
  const open = (inside: Browser, url: URL | string): Effect.Effect<Page> =>
    Effect.promise(() => inside.open(String(url), isHandedOver))
  /** Exchanges the token in the fragment. */
  const exchange = (page: Page) => suite.post("link", { token: tokenIn(page.url) })
  const refusals = Effect.map(
    suite.sql<{ action: string }>`select action from core.audit where action like 'refused.oidc%' order by id`,
    (rows) => rows.map(({ action }) => action.slice("refused.oidc_".length))
  )
  return { ...suite, browser, startUrl, signIn, untilBack, open, exchange, refusals }
})
