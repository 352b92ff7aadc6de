/**
 * Name, logo and colour of the installation, which people see in the console, on the welcome, status and edge pages and
 * in mails.
 */
import { Result } from "effect"
import { stored } from "../settings/StoredSetting.ts"
import * as Settings from "./Settings.ts"

export const defaultBrandName = "Signalbox"

/** Longest name. Unit: UTF-16 code units. Reason: the heading of the console on a phone. */
const maxName = 40

/** The problem of a name. A colon would end the issuer in the address of an authenticator app. */
const nameProblem = (name: string): string | undefined =>
  name.length > maxName
    ? `must have at most ${maxName} characters`
    : /[\p{C}\p{Zl}\p{Zp}:<>"]/u.test(name)
      ? 'must not contain control characters, line breaks, or any of : < > "'
      : undefined

/**
 * A logo as address. Reason: PNG, JPEG and WebP contain no script and load nothing; an SVG may. The length of a stored
 * text bounds the size: about 12 kB.
 */
const logoForm = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/

/** First bytes of the allowed formats, in base64, by media type. */
const signatures: Readonly<Record<string, RegExp>> = { png: /^iVBORw0KGgo/, jpeg: /^\/9j\//, webp: /^UklGR/ }

const logoProblem = (address: string): string | undefined => {
  const [, format = "", data = ""] = /^data:image\/(\w+);base64,(.*)$/.exec(address) ?? []
  return logoForm.test(address) && signatures[format]?.test(data)
    ? undefined
    : "must be a PNG, JPEG or WebP picture as a data: address"
}

const trimmed = <A>(setting: Settings.Setting<A>): Settings.Setting<A> => ({
  ...setting,
  parse: (raw) => setting.parse(raw.trim())
})

export const brandSettings = {
  brandName: stored(
    {
      ...Settings.text("SIGNALBOX_BRAND_NAME", {
        doc: "Name of the installation, which people see on pages and in mails",
        default: defaultBrandName
      }),
      parse: (raw: string) => {
        const name = raw.trim()
        const problem = nameProblem(name)
        return problem === undefined ? Result.succeed(name) : Result.fail(problem)
      }
    },
    {
      group: "branding",
      title: { en: "Name", de: "Name" },
      help: {
        en: "Name that people see on pages, in mails and in authenticator apps.",
        de: "Name, den Menschen auf Seiten, in Mails und in Authenticator-Apps sehen."
      }
    }
  ),
  brandLogo: stored(
    trimmed(
      Settings.optionalText("SIGNALBOX_BRAND_LOGO", {
        doc: "Logo as data:image/png;base64,… (also jpeg, webp); unset: ours",
        check: logoProblem
      })
    ),
    {
      group: "branding",
      title: { en: "Logo", de: "Logo" },
      help: {
        en: "PNG, JPEG or WebP picture of at most 12 kB, best square.",
        de: "PNG-, JPEG- oder WebP-Bild mit höchstens 12 kB, am besten quadratisch."
      },
      input: "image"
    }
  ),
  brandColour: stored(
    trimmed(
      Settings.optionalText("SIGNALBOX_BRAND_COLOUR", {
        doc: "Colour of the line at the top of pages, #rrggbb; unset: none",
        check: (colour) => (/^#[0-9a-f]{6}$/i.test(colour) ? undefined : "must be a colour such as #1d5fa8")
      })
    ),
    {
      group: "branding",
      title: { en: "Colour", de: "Farbe" },
      help: {
        en: "Colour of the line at the top of pages, such as #1d5fa8.",
        de: "Farbe der Linie oben auf Seiten, zum Beispiel #1d5fa8."
      },
      input: "colour"
    }
  )
}

export type Brand = Settings.Values<typeof brandSettings>
