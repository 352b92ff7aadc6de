/** The two outside providers that people may sign in with, each by four variables. */
import * as Settings from "#core/Settings.ts"

const provider = (number: 1 | 2) => {
  const name = (part: string) => `SIGNALBOX_OIDC_${number}_${part}`
  return {
    [`oidc${number}Title` as const]: Settings.optionalText(name("TITLE"), { doc: `Name of outside provider ${number} as people read it` }),
    [`oidc${number}Issuer` as const]: Settings.httpAddress(name("ISSUER"), {
      doc: `Issuer of outside provider ${number}; its OpenID configuration is found there`
    }),
    [`oidc${number}ClientId` as const]: Settings.optionalText(name("CLIENT_ID"), { doc: `What provider ${number} knows us as` }),
    [`oidc${number}ClientSecret` as const]: Settings.secret(name("CLIENT_SECRET"), { doc: `Our secret at provider ${number}` })
  }
}

export const oidcSettings = {
  ...(provider(1) as {
    readonly oidc1Title: ReturnType<typeof Settings.optionalText>
    readonly oidc1Issuer: ReturnType<typeof Settings.httpAddress>
    readonly oidc1ClientId: ReturnType<typeof Settings.optionalText>
    readonly oidc1ClientSecret: ReturnType<typeof Settings.secret>
  }),
  ...(provider(2) as {
    readonly oidc2Title: ReturnType<typeof Settings.optionalText>
    readonly oidc2Issuer: ReturnType<typeof Settings.httpAddress>
    readonly oidc2ClientId: ReturnType<typeof Settings.optionalText>
    readonly oidc2ClientSecret: ReturnType<typeof Settings.secret>
  })
}
