import { words } from "../../lib/Language.ts"

const t = words({
  en: {
    password: "password",
    totp: "authenticator app",
    messenger: "messenger",
    recovery_code: "recovery code",
    link: "link",
    oidc: (provider: string) => `via ${provider}`
  },
  de: {
    password: "Passwort",
    totp: "Authenticator-App",
    messenger: "Messenger",
    recovery_code: "Wiederherstellungscode",
    link: "Link",
    oidc: (provider: string) => `über ${provider}`
  }
})

/** A way of authentication in words; unknown ones stay as the server names them. */
export const methodTitle = (method: string): string => {
  const [kind, rest = ""] = method.split(":", 2)
  switch (kind) {
    case "password":
    case "totp":
    case "messenger":
    case "recovery_code":
    case "link":
      return t()[kind]
    case "oidc":
      return t().oidc(rest)
    default:
      return method
  }
}
