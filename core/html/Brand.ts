/**
 * Name, logo and colour of the installation on server-rendered pages and in mails. The memory of this process follows
 * the stored settings (`layer`); without them it is our own name. Reads are synchronous, so that pages and mails need
 * no service for it.
 */
import { Effect, Layer } from "effect"
import { type ComponentChildren, h } from "preact"
import { type Brand, brandSettings, defaultBrandName } from "../config/BrandSettings.ts"
import { StoredSettings } from "../settings/StoredSettings.ts"
import { escaped } from "./Escape.ts"

const own: Brand = { brandName: defaultBrandName, brandLogo: undefined, brandColour: undefined }

let read: () => Brand = () => own

/** The brand of this moment. */
export const presentBrand = (): Brand => read()

/** Name, logo and colour in turn, to find out whether something that shows them is outdated. */
export const brandParts = (): readonly [string, string | undefined, string | undefined] => {
  const { brandColour, brandLogo, brandName } = read()
  return [brandName, brandLogo, brandColour]
}

/** Makes the stored settings the brand of this process, until the layer ends. */
export const layer: Layer.Layer<never, never, StoredSettings> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { live } = yield* StoredSettings
    const brand = live({}, brandSettings)
    const mine = () => brand
    read = mine
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        // A later suite of the same process has its own.
        if (read === mine) read = () => own
      })
    )
  })
)

/** Whether the brand is the default: our own name without logo and colour. */
export const isOwnBrand = ({ brandColour, brandLogo, brandName }: Brand): boolean =>
  brandName === defaultBrandName && brandLogo === undefined && brandColour === undefined

/** Style of `brandHead`; part of the style sheet of a page that has it. */
export const brandStyle = `
.brand { display: flex; align-items: center; gap: .6rem; margin: 0 0 .6rem; font-weight: 600; overflow-wrap: anywhere }
.brand img { height: 2rem; max-width: 60% }
svg.brand-line { display: block; width: 100%; height: 4px; margin: 0 0 .6rem; background: none; border-radius: 0 }
`

/**
 * Line in the colour, logo and name, for the top of a page whose policy allows `data:` images. The colour is an
 * attribute of a picture, because the policy allows no style attributes.
 */
export const brandHead = (brand: Brand = presentBrand()): ReadonlyArray<ComponentChildren> => {
  const { brandColour, brandLogo, brandName } = brand
  const isNamed = brandName !== defaultBrandName || brandLogo !== undefined
  return [
    ...(brandColour === undefined
      ? []
      : [
          h(
            "svg",
            { class: "brand-line", viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" },
            h("rect", { width: 100, height: 4, fill: brandColour })
          )
        ]),
    ...(isNamed
      ? [
          h(
            "p",
            { class: "brand" },
            brandLogo === undefined ? null : h("img", { src: brandLogo, alt: "" }),
            h("span", null, brandName)
          )
        ]
      : [])
  ]
}

/** Content id of the logo in a mail. */
export const logoId = "logo@signalbox"

/** The line for the HTML of a mail. Mail programs load no `data:` pictures, so the logo is a part of the mail. */
export const brandMailHead = (brand: Brand = presentBrand()): string => {
  if (isOwnBrand(brand)) return ""
  const { brandColour, brandLogo, brandName } = brand
  const line = brandColour === undefined ? "" : `border-top:4px solid ${brandColour};`
  const logo =
    brandLogo === undefined
      ? ""
      : `<img src="cid:${logoId}" alt="" height="32" style="height:32px;vertical-align:middle;margin-right:8px">`
  return `<p style="${line}padding-top:8px;margin:0 0 16px;font-weight:600">${logo}${escaped(brandName)}</p>`
}

/** The picture of a `data:` address, as a part of a mail; undefined without logo. */
export const logoPart = ({ brandLogo }: Brand = presentBrand()) => {
  const [, type, data] = /^data:(image\/\w+);base64,(.+)$/.exec(brandLogo ?? "") ?? []
  return type === undefined || data === undefined
    ? undefined
    : { id: logoId, type, content: Buffer.from(data, "base64") }
}

/** Line of the footer of a plain text; none for our own name. */
export const brandLine = ({ brandName }: Brand = presentBrand()): ReadonlyArray<string> =>
  brandName === defaultBrandName ? [] : [brandName]

/**
 * A plain text with the name of the installation as its signature; unchanged for our own name. Source of the separator:
 * RFC 3676 §4.3.
 */
export const brandSigned = (text: string, brand: Brand = presentBrand()): string => {
  const [name] = brandLine(brand)
  return name === undefined ? text : `${text.trimEnd()}\n\n-- \n${name}\n`
}
